// Names what loads, in a bar at the bottom of the lab, until the kernel is there, and what goes wrong.
// The first worker starts before JupyterLab asks for it: both load at once.
import { alike, forget } from "./files.js";
import { ended, interruptible } from "./interrupt.js";

// A server with the headers for shared memory would get another kernel, with other folders and without the worker below.
Object.defineProperty(window, "crossOriginIsolated", { value: false });

// JupyterLab takes the notebook out of the address, and goes forward again when the reader goes back to it. The address
// that stays can be shared, and leads back to the front page.
const { replaceState } = history, path = new URLSearchParams(location.search).get("path");
history.pushState = (state, unused, to = location.href) => {
  const address = new URL(to, location.href);
  if (path) address.searchParams.set("path", path);
  replaceState.call(history, state, unused, address);
};

const Usual = Worker, address = new URL("worker.js", import.meta.url);
const heeded = (worker) => {
  worker.addEventListener("message", ({ data }) => data?.words !== undefined && say(data.words, data.part));
  worker.addEventListener("error", ({ message }) => say(`The kernel failed (${message || "a file of the course cannot be loaded"}). Load this page again.`));
  interruptible(worker, say);
  alike(worker, say);
  const terminate = worker.terminate.bind(worker);
  worker.terminate = () => {
    terminate();
    forget(worker);
    ended(worker, say);
  };
  return worker;
};
let spare = heeded(new Usual(address, { type: "module" }));
window.Worker = class extends Usual {
  constructor(url, options) {
    const kernel = String(url).includes("comlink.worker"), first = spare;
    if (kernel && first) {
      spare = null;
      return first;
    }
    super(kernel ? address : url, options);
    if (kernel) heeded(this);
  }
};

const bar = document.createElement("div");
bar.setAttribute("role", "status");
bar.className = "mq-loading";
bar.innerHTML = "<progress max=1 value=0.05></progress> <span>Loading the lab</span>";
const style = document.createElement("style");
style.textContent = `.mq-loading{position:fixed;z-index:2000;bottom:0;left:0;right:0;padding:6px 12px;background:#fff;color:#222;
border-top:1px solid #bbb;font:14px sans-serif;display:flex;gap:12px;align-items:center}.mq-loading progress{flex:0 0 14rem}`;
document.head.append(style);
document.body.append(bar);
/** Show words in the bar, with the part that has loaded; "" hides it. */
function say(words, part) {
  bar.style.display = words ? "" : "none";
  bar.firstChild.style.display = part === undefined ? "none" : "";
  bar.firstChild.value = 0.2 + 0.8 * (part ?? 0);
  bar.lastChild.textContent = words;
}
