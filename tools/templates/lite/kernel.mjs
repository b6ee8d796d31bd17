// The kernel of the course in a browser tab: Pyodide with the packages of the course, told about as they load.
// JupyterLite's kernel takes this for pyodide.mjs, and finds everything that it would install already there.
import { unpack } from "./archive.mjs";
import { loadPyodide as load } from "./pyodide.mjs";
import { added, lines, listen } from "./progress.mjs";
import { HOME, send, take, watch } from "./disk.mjs";
import { began, ended, prepare } from "./ticket.mjs";

const NOTEBOOKS = `${HOME}/notebooks`, PROGRESS = `${HOME}/.mqlab/progress.jsonl`;
let over = false; // whether the start has failed
const say = (words, part) => over || postMessage({ words, part }); // loading.js shows them
const tell = (what, part) => say(`Loading ${what}`, part);
const lost = (why) => say(`This browser cannot keep your progress (${why?.message ?? why}). It is lost when you close the tab.`);

// A file as bytes, gunzipped; tells how much of it is there.
async function fetched(name) {
  const answer = await fetch(new URL(name, import.meta.url));
  if (!answer.ok) throw new Error(`${name} cannot be loaded (${answer.status}): is the folder of the course complete?`);
  const total = Number(answer.headers.get("content-length")) || 20_000_000;
  let there = 0;
  const counted = new TransformStream({
    transform(chunk, out) {
      there += chunk.length;
      tell("the packages of the course", 0.3 * Math.min(1, there / total));
      out.enqueue(chunk);
    },
  });
  const plain = answer.body.pipeThrough(counted).pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}

async function started() {
  tell("Python", 0);
  const indexURL = new URL(".", import.meta.url).href;
  const [python, archive] = await Promise.all([
    load({ indexURL, env: { HOME, MQLAB_PROGRESS: PROGRESS } }).then((python) => (tell("Python", 0.5), python)),
    fetched("environment.bin"),
  ]);
  tell("the packages of the course", 0.6);
  unpack(python.FS, archive);
  python.FS.mkdirTree(`${HOME}/.mqlab`);
  python.FS.mkdirTree(NOTEBOOKS);
  python.FS.chdir(NOTEBOOKS);
  python.FS.symlink(`${HOME}/datasets`, "/home/datasets"); // ../../datasets, for the notebooks of the library
  tell("the notebook kernel", 0.75);
  prepare(python);
  watch(python);
  python.registerJsModule("page_of_course", { added: (line) => added(line).catch(lost), began, ended: () => ended() && send() });
  // the stacks of programs let cells and messages of widgets take turns in the kernel, from the beginning
  await python.runPythonAsync("import pyodide_kernel, mqlab.browser.stacks, tools.lite_kernel, tools.lite_display");
  say("");
  const write = (text, flags) => python.FS.writeFile(PROGRESS, text, { flags });
  listen((line) => write(`${line}\n`, "a"));
  const kept = await lines().catch((why) => (lost(why), [])); // now, so that nothing else is said later
  write(kept.map((line) => `${line}\n`).join(""), "w");
  return python;
}

function failed(why) {
  say(`Python cannot start (${why.message ?? why}). Load this page again, or use Chrome or Edge 137, Firefox 153, Safari 27, or a newer version.`);
  over = true;
  throw why;
}

addEventListener("message", ({ data }) => {
  if (data?.path) begin().then(() => take(data.path, data.bytes), () => {}); // without Python nobody reads it
});

let python;
export const begin = () => (python ??= started().catch(failed));
export const loadPyodide = begin; // with the options of JupyterLite's kernel, which the above has
