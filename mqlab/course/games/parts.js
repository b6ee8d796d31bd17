// What the games share: elements, a clock, and cards for messages.
const h = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value != null) made.setAttribute(name, value);
  }
  // JupyterLab's keys of one letter match the very element that has the focus: a button of ours must not delete a cell
  if (/^(button|input|summary)$/.test(tag) || "tabindex" in attributes) made.setAttribute("data-lm-suppress-shortcuts", "true");
  made.append(...children);
  return made;
};
const clock = (seconds) => `09:${String(Math.floor(seconds / 60) % 60).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
const still = () => matchMedia("(prefers-reduced-motion:reduce)").matches;
// A rule: its id and title, and its text when it is opened.
const ruled = (rule) => rule ? h("details", { class: "rule" }, h("summary", {}, `${rule[0]} ${rule[1]}`), h("p", {}, rule[2])) : "";
