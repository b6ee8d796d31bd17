// Names what loads, in a bar at the top of the lab, until the kernel is there.
// The first worker starts before JupyterLab asks for it: both load at once.
import { interruptible } from "./interrupt.js";

const Usual = Worker, address = new URL("worker.js", import.meta.url);
let spare = new Usual(address, { type: "module" });
interruptible(spare, say);
window.Worker = class extends Usual {
  constructor(url, options) {
    const kernel = String(url).includes("comlink.worker"), first = spare;
    if (kernel && first) {
      spare = null;
      return first;
    }
    super(kernel ? address : url, options);
    if (kernel) interruptible(this, say);
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
function say(words, part) {
  bar.style.display = words ? "" : "none";
  bar.firstChild.style.display = part === undefined ? "none" : "";
  bar.firstChild.value = part ?? 0;
  bar.lastChild.textContent = words;
}
new BroadcastChannel("mqlab-loading").onmessage = ({ data: { what, part } }) => {
  if (document.visibilityState !== "visible") return; // another tab's kernel
  say(part < 1 ? `Loading ${what}` : "", 0.2 + 0.8 * part);
};
