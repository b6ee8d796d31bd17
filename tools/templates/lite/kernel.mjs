// The kernel of the course in a browser tab: Pyodide with the packages of the course, told about as they load.
// JupyterLite's kernel takes this for pyodide.mjs, and finds everything that it would install already there.
import { added, lines, listen } from "./progress.mjs";
import { HOME, send, take, watch } from "./disk.mjs";
import { PROGRESS, loaded, why } from "./python.mjs";
import { began, ended, prepare } from "./ticket.mjs";

const NOTEBOOKS = `${HOME}/notebooks`;
let over = false; // whether the start has failed
const say = (words, part) => over || postMessage({ words, part }); // loading.js shows them
const tell = (what, part) => say(`Loading ${what}`, part);
const lost = (why) => say(`This browser cannot keep your progress (${why?.message ?? why}). It is lost when you close the tab.`);

async function started() {
  const python = await loaded(tell);
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

function failed(error) {
  say(why(error));
  over = true;
  throw error;
}

addEventListener("message", ({ data }) => {
  if (data?.path) begin().then(() => take(data.path, data.bytes), () => {}); // without Python nobody reads it
});

let python;
export const begin = () => (python ??= started().catch(failed));
export const loadPyodide = begin; // with the options of JupyterLite's kernel, which the above has
