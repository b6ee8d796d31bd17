// An element with attributes (`on...` are listeners) and children, for games and predictions.
const h = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value != null) made.setAttribute(name, value);
  }
  // JupyterLab's one-key commands match `:focus` on the very element, so each that can be focused has to refuse them
  const focusable = /^(button|input|summary)$/.test(tag) || "tabindex" in attributes;
  const refuse = () => made.setAttribute("data-lm-suppress-shortcuts", "true"); if (focusable) refuse();
  if (tag === "button") { // Shift+Enter runs the cell and goes on
    made.addEventListener("keydown", ({ key }) => { if (key === "Shift") made.removeAttribute("data-lm-suppress-shortcuts"); });
    for (const end of ["keyup", "blur"]) made.addEventListener(end, refuse);
  }
  made.append(...children);
  return made;
};
