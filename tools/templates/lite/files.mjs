// The files of the lab's list and those of its kernels, which have them in memory: what a cell writes appears in the list,
// and what is uploaded or edited there can be read by the next cell. Notebooks in the list stay there.
const kernels = new Set();
let contents, saving = {}, turn = Promise.resolve(); // the path that is saved now, and the kernel that has it already

const encoded = (path) => path.split("/").map(encodeURIComponent).join("/"); // JupyterLite decodes
const text = (bytes) => { try { return new TextDecoder("utf-8", { fatal: true }).decode(bytes); } catch { return null; } };

function base64(bytes) {
  let found = "";
  for (let at = 0; at < bytes.length; at += 8192) found += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(found);
}

/** Keep the files of a worker and those of the list alike; `tell(words)` says what could not be kept. */
export function alike(worker, tell) {
  kernels.add(worker);
  worker.addEventListener("message", ({ data }) => {
    for (const [path, bytes] of data?.files ?? []) turn = turn.then(() => keep(worker, path, bytes)).catch((why) =>
      tell(`This browser cannot keep ${path} (${why.message}). It is lost when you close the tab.`));
  });
  begun().then(() => sent(worker, ""));
}

/** A worker has ended. */
export const forget = (worker) => kernels.delete(worker);

async function begun() {
  while (!window.jupyterapp?.serviceManager?.contents) await new Promise((done) => setTimeout(done, 50));
  if (contents) return;
  contents = jupyterapp.serviceManager.contents;
  contents.fileChanged.connect((_, { type, oldValue, newValue }) => {
    for (const worker of kernels) {
      if (worker === saving.worker && saving.path.startsWith((newValue ?? oldValue)?.path)) continue;
      if (type === "delete" || type === "rename") worker.postMessage({ path: oldValue.path, bytes: null });
      if (type !== "delete") sent(worker, newValue.path);
    }
  });
}

/** Save a file that a kernel has written, or delete one that it has deleted. */
async function keep(worker, path, bytes) {
  saving = { worker, path };
  try {
    if (!bytes) return void await contents.delete(encoded(path)).catch(() => {}); // it was not in the list
    const folders = path.split("/").slice(0, -1), words = text(bytes);
    for (const at of folders.keys()) {
      const folder = encoded(folders.slice(0, at + 1).join("/"));
      await contents.get(folder, { content: false }).catch(() => contents.save(folder, { type: "directory" }));
    }
    const content = path.endsWith(".ipynb") ? { type: "notebook", format: "json", content: JSON.parse(words) }
      : words === null ? { type: "file", format: "base64", content: base64(bytes) } : { type: "file", format: "text", content: words };
    await contents.save(encoded(path), content);
  } finally {
    saving = {};
  }
}

/** Send a worker a file of the list, or all files of a folder; one that cannot be read is left out. */
async function sent(worker, path) {
  if (path.endsWith(".ipynb")) return;
  const { type, format, content } = await contents.get(encoded(path), { content: true }).catch(() => ({}));
  if (type === "directory") for (const each of content ?? []) await sent(worker, each.path);
  if (type !== "file" || content == null) return;
  const bytes = format === "base64" ? Uint8Array.from(atob(content), (c) => c.charCodeAt(0))
    : new TextEncoder().encode(typeof content === "string" ? content : JSON.stringify(content));
  worker.postMessage({ path, bytes });
}
