// The line that says which call a control makes: of the control that has the focus or the pointer, else the last made.
function render({ model, el }) {
  const line = document.createElement("div");
  line.className = "mqlab-said";
  const label = document.createElement("span");
  label.textContent = "the same in Python: ";
  const code = document.createElement("code");
  line.append(label, code);
  el.append(line);
  const show = (text) => { code.textContent = text || model.get("text"); };
  const look = (event) => {
    const control = event.target.closest?.("button, select");
    show(control?.dataset.call ?? (control?.classList.contains("mqlab-call") ? control.title : ""));
  };
  const told = () => show("");
  model.on("change:text", told);
  show("");
  const listen = () => {
    const panel = el.closest(".mqlab-panel");
    if (!panel) return requestAnimationFrame(listen); // not in the page yet
    for (const kind of ["focusin", "pointerover", "click"]) panel.addEventListener(kind, look);
  };
  listen();
  return () => model.off("change:text", told);
}
export default { render };
