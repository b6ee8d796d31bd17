// A question: buttons, a field, toggles or a list to put in order. What happened opens when it is answered.
// No kernel is asked: the page can judge, so it answers at once while Run All goes on; the kernel is told, and records.

const h = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value != null) made.setAttribute(name, value);
  }
  // JupyterLab's one-key commands match `:focus` on the very element, so each that can be focused has to say no itself
  if (/^(button|input|summary)$/.test(tag) || "tabindex" in attributes) made.setAttribute("data-lm-suppress-shortcuts", "true");
  made.append(...children);
  return made;
};
const WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
const fold = (one) => Array.isArray(one) ? one.map(fold).join("\u0000") : String(one).trim().toLowerCase();
const same = (part, said, right) => part.kind === "several" ? fold([...said].sort()) === fold([...right].sort()) : fold(said) === fold(right);
const told = (one) => Array.isArray(one) ? (one.length ? one.join(", ") : "none of them") : String(one);

/** The control of one part; `tell(value)` takes what is said so far, `commit()` makes it final. */
function control(part, alone, tell, commit, refuse) {
  if (part.kind === "order") return order(part, tell);
  if (part.kind === "several") {
    const chosen = new Set();
    tell([]);
    return h("div", { class: "picks" }, ...part.options.map((one) => h("button", { type: "button", class: "pick", "aria-pressed": "false", "data-value": one,
      onclick: (e) => { chosen.has(one) ? chosen.delete(one) : chosen.add(one); e.currentTarget.setAttribute("aria-pressed", chosen.has(one)); tell([...chosen]); } }, String(one))));
  }
  if (part.options.length) {
    const box = h("div", { class: "picks" });
    box.append(...part.options.map((one) => h("button", { type: "button", class: "pick", "data-value": one, "aria-pressed": alone ? null : "false",
      onclick: (e) => {
        for (const each of box.children) if (!alone) each.setAttribute("aria-pressed", each === e.currentTarget);
        tell(one);
        if (alone) commit();
      } }, String(one))));
    box.addEventListener("keydown", (e) => {
      const all = [...box.children], at = all.indexOf(document.activeElement);
      const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[e.key];
      if (to === undefined || !all[to]) return;
      all[to].focus();
      e.preventDefault();
    });
    return box;
  }
  const field = h("input", { type: "text", class: "field", inputmode: part.kind === "number" ? "numeric" : null, autocomplete: "off", "aria-label": part.label || "Your prediction",
    oninput: () => { refuse(""); tell(read()); }, onkeydown: (e) => { if (e.key === "Enter") commit(); } });
  const read = () => {
    const text = field.value.trim();
    if (!text) return undefined;
    if (part.kind !== "number") return text;
    const number = WORDS.includes(text.toLowerCase()) ? WORDS.indexOf(text.toLowerCase()) : /^-?\d+$/.test(text.replace(/[ ,']/g, "")) ? Number(text.replace(/[ ,']/g, "")) : NaN;
    return number >= (part.low ?? -Infinity) && number <= (part.high ?? Infinity) ? number : { wrong: text };
  };
  return h("div", { class: "picks" }, field, part.low === null ? "" : h("span", { class: "range" }, `${part.low} to ${part.high}`));
}

/** Items to put in order: drag one, or focus it and press Up and Down. */
function order(part, tell) {
  const list = h("ol", { class: "order" }), live = h("div", { class: "hear", "aria-live": "polite" });
  const names = () => [...list.children].map((each) => each.dataset.value);
  const moved = (item, quiet) => {
    [...list.children].forEach((each, n, all) => each.setAttribute("aria-label", `${each.dataset.value}, position ${n + 1} of ${all.length}`));
    if (!quiet) live.textContent = item.getAttribute("aria-label");
    tell(names());
  };
  for (const one of part.options) {
    const item = h("li", { tabindex: 0, role: "option", "data-value": one }, h("span", { class: "grip", "aria-hidden": "true" }, "⠿"), String(one));
    item.addEventListener("keydown", (e) => {
      const up = e.key === "ArrowUp", down = e.key === "ArrowDown";
      if (!up && !down) return;
      const beside = up ? item.previousElementSibling : item.nextElementSibling;
      if (beside) { up ? beside.before(item) : beside.after(item); item.focus(); moved(item); }
      e.preventDefault();
    });
    item.addEventListener("pointerdown", (e) => {
      // on the document and not captured: an element that moves in its list loses the pointer
      const page = item.ownerDocument;
      item.classList.add("held"); item.focus(); e.preventDefault();
      const move = (at) => {
        const over = [...list.children].find((each) => each !== item && at.clientY > each.getBoundingClientRect().top && at.clientY < each.getBoundingClientRect().bottom);
        if (over) item.compareDocumentPosition(over) & 4 ? over.after(item) : over.before(item);
      };
      const end = () => { item.classList.remove("held"); page.removeEventListener("pointermove", move); page.removeEventListener("pointerup", end); page.removeEventListener("pointercancel", end); moved(item); };
      page.addEventListener("pointermove", move); page.addEventListener("pointerup", end); page.addEventListener("pointercancel", end);
    });
    list.append(item);
  }
  list.setAttribute("role", "listbox"); list.setAttribute("aria-label", `${part.label || "Put in order"}: Up and Down move an item, first is on top`);
  queueMicrotask(() => moved(list.firstChild, true));
  return h("div", {}, h("div", { class: "range" }, "Drag, or focus one and press ↑ ↓. First on top."), list, live);
}

export function mount(root, spec, kept, state, said, tell) {
  const alone = spec.parts.length === 1 && ["number", "choose"].includes(spec.parts[0].kind) && spec.parts[0].options.length > 0;
  const saying = spec.parts.map(() => undefined);
  const hint = h("p", { class: "hint", role: "alert" });
  const refuse = (words) => { hint.textContent = words; };
  const open = h("div", { class: "opened" });
  const controls = h("div", { class: "controls" });
  const box = h("section", { class: "mqlab-predict live", "aria-label": `Prediction: ${spec.plain}` },
    h("div", { class: "kicker" }, "Predict"), Object.assign(h("div", { class: "ask" }), { innerHTML: spec.ask }), controls, open);
  root.append(box);

  function commit() {
    for (const [n, part] of spec.parts.entries()) {
      if (saying[n] === undefined) return refuse(`Choose ${part.label ? "for " + part.label : "an answer"} first, or skip.`);
      if (saying[n]?.wrong !== undefined) return refuse(`A whole number${part.low === null ? "" : ` from ${part.low} to ${part.high}`}, please: “${saying[n].wrong}” is not one. Nothing was recorded.`);
    }
    tell("said", saying.slice());
    reveal("said", saying.slice(), true);
  }
  function ask() {
    box.dataset.state = "asked";
    open.replaceChildren(); refuse("");
    controls.replaceChildren(...spec.parts.map((part, n) => h("div", { role: "group", class: "part", "aria-label": part.label || "Your prediction" },
      part.label ? h("div", { class: "label" }, part.label) : "", control(part, alone, (value) => { saying[n] = value; }, commit, refuse))), hint,
      h("div", { class: "row" }, alone ? "" : h("button", { type: "button", class: "go", onclick: commit }, "That is my prediction"),
        h("button", { type: "button", class: "quiet", onclick: () => { tell("skipped", []); reveal("skipped", [], true); } }, "Skip: show me")));
  }
  function reveal(how, said, now) {
    const found = JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(kept), (c) => c.charCodeAt(0))));
    const right = spec.parts.map((part, n) => how === "said" && same(part, said[n], found.right[n]));
    const all = right.every(Boolean);
    box.dataset.state = how === "skipped" ? "skipped" : all ? "right" : "surprise";
    for (const [n, group] of [...controls.querySelectorAll(".part")].entries()) group.replaceChildren(summary(spec.parts[n], said[n], found.right[n], right[n], how));
    if (!controls.querySelector(".part")) controls.append(...spec.parts.map((part, n) => h("div", { class: "part" }, summary(part, said[n], found.right[n], right[n], how))));
    controls.querySelector(".row")?.remove(); hint.remove();
    const verdict = h("p", { class: "verdict", tabindex: -1 }, how === "skipped" ? "Skipped. Here is what happens." : all ? "As you said." : right.some(Boolean) ? `${right.filter(Boolean).length} of ${right.length} as you said, the rest a surprise.` : "A surprise.");
    open.replaceChildren(verdict, html("why", found.why), found.result ? html("result", found.result) : "",
      h("details", { class: "ran", open: found.code.split("\n").length <= 12 }, h("summary", {}, "The experiment"), html("code", found.code, "pre")),
      h("div", { class: "row" }, h("button", { type: "button", class: "quiet", onclick: () => { tell("asked", []); ask(); controls.querySelector("button, input, li")?.focus(); } }, "Ask me again")));
    if (now) verdict.focus({ preventScroll: true });
  }
  const html = (name, inside, tag = "div") => Object.assign(h(tag, { class: name, ...(tag === "pre" && { tabindex: 0 }) }), { innerHTML: inside });
  function summary(part, said, right, good, how) {
    const name = part.label ? h("div", { class: "label" }, part.label) : "";
    if (!part.options.length || part.kind === "order") return h("div", {}, name, how === "said" ? h("p", { class: "said" }, `${good ? "✓" : "✗"} You said ${told(said)}.`) : "", good ? "" : h("p", { class: "said" }, `It is ${told(right)}.`));
    const has = (one, of) => of !== undefined && (Array.isArray(of) ? of.map(fold).includes(fold(one)) : fold(of) === fold(one));
    return h("div", {}, name, h("div", { class: "picks" }, ...part.options.map((one) => {
      const yours = how === "said" && has(one, said), true_ = has(one, right);
      return h("span", { class: `pick was${true_ ? " true" : ""}${yours ? " yours" : ""}` }, String(one), yours || true_ ? h("small", {}, yours && true_ ? "✓ you said" : true_ ? "✓ it is" : "✗ you said") : "");
    })));
  }
  ask();
  if (state !== "asked") reveal(state, said, false);
  return box;
}

export default {
  render({ model, el }) {
    mount(el, model.get("spec"), model.get("kept"), model.get("state"), model.get("said"), (state, said) => {
      model.set("said", said); model.set("state", state); model.save_changes();
    });
  },
};
