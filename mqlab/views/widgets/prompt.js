// A place to write commands: Ctrl+Enter or Shift+Enter runs them, Alt+Up and Alt+Down go through earlier ones.
function render({ model, el }) {
  const box = document.createElement("textarea");
  box.className = "mqlab-prompt";
  box.rows = 4;
  box.spellcheck = false;
  box.setAttribute("aria-label", "MQSC commands");
  box.placeholder = model.get("placeholder");
  box.value = model.get("value");
  let back = 0;
  const keep = () => {
    model.set("value", box.value);
    model.save_changes();
  };
  box.addEventListener("input", keep);
  // changes of a trait are held back while the kernel is busy, messages are not: whoever runs this next has all of it
  box.addEventListener("change", () => model.send({ text: box.value }));
  box.addEventListener("keydown", (event) => {
    event.stopPropagation(); // a notebook's own shortcuts must not see what is written here
    if (event.key === "Enter" && (event.ctrlKey || event.shiftKey || event.metaKey)) {
      event.preventDefault();
      keep();
      back = 0;
      model.send({ run: box.value });
    } else if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      event.preventDefault();
      const earlier = model.get("history");
      back = Math.max(0, Math.min(earlier.length, back + (event.key === "ArrowUp" ? 1 : -1)));
      box.value = back ? earlier[earlier.length - back] : "";
      keep();
    }
  });
  model.on("change:value", () => {
    if (box.value !== model.get("value")) box.value = model.get("value");
  });
  el.append(box);
}
export default { render };
