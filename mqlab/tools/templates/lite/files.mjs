// The files of the lab's list and those of its kernels, which have them in memory: what a cell writes appears in the list,
// and what is uploaded or edited there can be read by the next cell. Notebooks themselves stay in the list.
const kernels = new Set(), written = new Map(); // of each file that a kernel has just written: the kernel
let contents;

const text = (bytes) => { try { return new TextDecoder("utf-8", { fatal: true }).decode(bytes); } catch { return null; } };

function base64(bytes) {
  let found = "";
  for (let at = 0; at < bytes.length; at += 8192) found += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(found);
}

/** Keep the files of a worker and those of the list alike; `tell(words)` says what could not be kept. */
export function alike(worker, tell) {
  kernels.add(worker);
  worker.addEventListener("message", async ({ data }) => {
    for (const [path, bytes] of data?.written ?? []) {
      written.set(path, worker);
      try {
        await keep(path, bytes);
      } catch (why) {
        tell(`This browser cannot keep ${path} (${why.message}). It is lost when you close the tab.`);
      }
      written.delete(path);
    }
  });
  begun().then(() => sent(worker, ""));
}

async function begun() {
  while (!window.jupyterapp?.serviceManager?.contents) await new Promise((done) => setTimeout(done, 50));
  if (contents) return;
  contents = jupyterapp.serviceManager.contents;
  contents.fileChanged.connect((_, { newValue }) => {
    if (newValue?.path) for (const worker of kernels) if (written.get(newValue.path) !== worker) sent(worker, newValue.path);
  });
}

async function keep(path, bytes) {
  const folders = path.split("/").slice(0, -1), words = text(bytes);
  for (const [at] of folders.entries()) {
    const folder = folders.slice(0, at + 1).join("/");
    await contents.get(folder, { content: false }).catch(() => contents.save(folder, { type: "directory" }));
  }
  const content = words === null ? { format: "base64", content: base64(bytes) } : { format: "text", content: words };
  await contents.save(path, { type: "file", ...content });
}

/** Send a worker a file of the list, or all files of a folder. */
async function sent(worker, path) {
  if (path.endsWith(".ipynb")) return;
  const { type, format, content } = await contents.get(path, { content: true });
  if (type === "directory") for (const each of content ?? []) await sent(worker, each.path);
  if (type !== "file" || content == null) return;
  const plain = format === "base64" ? Uint8Array.from(atob(content), (c) => c.charCodeAt(0))
    : new TextEncoder().encode(typeof content === "string" ? content : JSON.stringify(content));
  worker.postMessage({ path, bytes: plain });
}
