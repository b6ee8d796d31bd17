// The kernel of the course in a browser tab: Pyodide with the packages of the course, told about as they load.
// JupyterLite's kernel takes this for pyodide.mjs, and finds everything that it would install already there.
import { unpack } from "./archive.mjs";
import { loadPyodide as load } from "./pyodide.mjs";
import { added, lines } from "./progress.mjs";
import { began, ended, prepare } from "./ticket.mjs";

const HOME = "/home/learner", NOTEBOOKS = `${HOME}/notebooks`;
const PROGRESS = `${HOME}/.mqlab/progress.jsonl`;
const heard = new BroadcastChannel("mqlab-loading");
const tell = (what, part) => heard.postMessage({ what, part });

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
  const [python, archive, kept] = await Promise.all([
    load({ indexURL, env: { HOME, MQLAB_PROGRESS: PROGRESS } }).then((python) => (tell("Python", 0.5), python)),
    fetched("environment.bin"),
    lines(),
  ]);
  tell("the packages of the course", 0.6);
  unpack(python.FS, archive);
  python.FS.mkdirTree(`${HOME}/.mqlab`);
  python.FS.writeFile(PROGRESS, kept.map((line) => line + "\n").join(""));
  python.FS.mkdirTree(NOTEBOOKS);
  python.FS.chdir(NOTEBOOKS);
  tell("the notebook kernel", 0.75);
  prepare(python);
  python.registerJsModule("page_of_course", { added, began, ended });
  // the stacks of programs let cells and messages of widgets take turns in the kernel, from the beginning
  await python.runPythonAsync("import pyodide_kernel, mqlab.programs.stacks, mqlab.tools.lite_kernel, mqlab.tools.lite_display");
  tell("", 1);
  return python;
}

let python;
export const begin = () => (python ??= started());
export const loadPyodide = begin; // with the options of JupyterLite's kernel, which the above has
