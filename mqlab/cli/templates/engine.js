// The engine of a live page, in a worker: Pyodide, Python's library, and mqlab are in the page itself; nothing is fetched.
// It answers one question after another.
const AT = "file:///mqlab/"; // where Pyodide takes its files to be
const LOADS = { // what is loaded, in words, and the share of the time that has passed then
  "pyodide.mjs": ["Pyodide", 0], "pyodide.asm.wasm": ["Python", 0.05], "python_stdlib.zip": ["Python's library", 0.15],
};
let python = null, turn = Promise.resolve();

function unpacked(base64, type) {
  const bytes = Uint8Array.fromBase64?.(base64) ?? Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")), { headers: { "content-type": type } });
}

async function load(files) {
  self.fetch = async (asked) => {
    const name = String(asked.url ?? asked).slice(AT.length);
    if (!(name in files)) throw new Error(`${asked} is not in the page`);
    if (name in LOADS) postMessage({ loads: LOADS[name][0], share: LOADS[name][1] });
    return unpacked(files[name], name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream");
  };
  const module = async (name) => import(URL.createObjectURL(new Blob([await (await fetch(AT + name)).text()], { type: "text/javascript" })));
  const [{ loadPyodide }, script] = [await module("pyodide.mjs"), await module("pyodide.asm.mjs")];
  const lockFileContents = await (await fetch(`${AT}pyodide-lock.json`)).text();
  python = await loadPyodide({ indexURL: AT, createPyodideModule: script.default, lockFileContents });
  python.FS.writeFile("/simulator.zip", new Uint8Array(await (await fetch(`${AT}simulator.zip`)).arrayBuffer()));
  python.runPython("import sys; sys.path.insert(0, '/simulator.zip')");
  postMessage({ loads: "the simulator", share: 0.55 });
  python.answer = python.runPython("from mqlab.lab.live import LivePage; LivePage().answer");
  postMessage({ share: 1 });
}

async function answer({ number, question }) { postMessage({ number, text: await python.answer.callPromising(question) }); }

onmessage = ({ data }) => {
  const failed = (error) => { postMessage({ number: data.number, failed: String(error?.message ?? error).trim().split("\n").at(-1) }); };
  turn = turn.then(() => (data.files ? load(data.files) : answer(data))).catch(failed);
};
