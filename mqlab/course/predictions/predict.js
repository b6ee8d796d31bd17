// A question: buttons, a field, toggles, or a list to put in order. The result appears when it is answered.
// The page judges, so it answers at once while Run All goes on; the kernel is told, and records.

const button = (name, onclick, words, more = {}) => h("button", { type: "button", class: name, onclick, ...more }, words);
const inner = (name, html, tag = "div") =>
  Object.assign(h(tag, { class: name, ...(tag === "pre" && { tabindex: 0 }) }), { innerHTML: html });

const WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
const fold = (one) => (Array.isArray(one) ? one.map(fold).join("\u0000") : String(one).trim().toLowerCase());
const same = (part, said, right) =>
  part.kind === "several" ? fold([...said].sort()) === fold([...right].sort()) : fold(said) === fold(right);
const told = (one) => (Array.isArray(one) ? (one.length ? one.join(", ") : "none of them") : String(one));

/** The control of one part: `say(value)` takes the answer so far, `commit()` makes it final, `clear()` removes a hint. */
function control(part, alone, say, commit, clear) {
  if (part.kind === "order") return order(part, say);
  if (part.kind === "several") return toggles(part, say);
  return part.options.length ? buttons(part, alone, say, commit) : field(part, say, commit, clear);
}

function toggles(part, say) {
  const chosen = new Set();
  say([]);
  const toggle = (one) => (event) => {
    if (!chosen.delete(one)) chosen.add(one);
    event.currentTarget.setAttribute("aria-pressed", chosen.has(one));
    say([...chosen]);
  };
  const made = part.options.map((one) =>
    button("pick", toggle(one), String(one), { "aria-pressed": "false", "data-value": one }));
  return h("div", { class: "picks" }, ...made);
}

function buttons(part, alone, say, commit) {
  const box = h("div", { class: "picks" });
  const choose = (one) => (event) => {
    if (!alone) for (const each of box.children) each.setAttribute("aria-pressed", each === event.currentTarget);
    say(one);
    if (alone) commit();
  };
  box.append(...part.options.map((one) =>
    button("pick", choose(one), String(one), { "aria-pressed": alone ? null : "false", "data-value": one })));
  box.addEventListener("keydown", (event) => {
    const all = [...box.children], at = all.indexOf(document.activeElement), last = all.length - 1;
    const moves = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: last };
    const next = all[moves[event.key]];
    if (!next) return;
    next.focus();
    event.preventDefault();
  });
  return box;
}

function field(part, say, commit, clear) {
  const read = (text) => {
    if (!text) return undefined;
    if (part.kind !== "number") return text;
    const digits = text.replace(/[ ,']/g, ""), word = WORDS.indexOf(text.toLowerCase());
    const number = word >= 0 ? word : /^-?\d+$/.test(digits) ? Number(digits) : NaN;
    return number >= (part.low ?? -Infinity) && number <= (part.high ?? Infinity) ? number : { wrong: text };
  };
  const box = h("input", {
    type: "text", class: "field", inputmode: part.kind === "number" ? "numeric" : null, autocomplete: "off",
    "aria-label": part.label || "Your prediction",
    oninput: () => { clear(); say(read(box.value.trim())); },
    onkeydown: (event) => { if (event.key === "Enter") commit(); },
  });
  const range = part.low === null ? "" : h("span", { class: "range" }, `${part.low} to ${part.high}`);
  return h("div", { class: "picks" }, box, range);
}

/** Items to put in order: drag one, or focus it and press Up and Down. */
function order(part, say) {
  const list = h("ol", {
    class: "order", role: "listbox",
    "aria-label": `${part.label || "Put in order"}: Up and Down move an item, first is on top`,
  });
  const live = h("div", { class: "hear", "aria-live": "polite" });
  const moved = (item, quiet) => {
    const all = [...list.children];
    const place = (each, n) => `${each.dataset.value}, position ${n + 1} of ${all.length}`;
    all.forEach((each, n) => each.setAttribute("aria-label", place(each, n)));
    if (!quiet) live.textContent = item.getAttribute("aria-label");
    say(all.map((each) => each.dataset.value));
  };
  const drag = (item) => {
    // on the document and not captured: an element that moves in its list loses the pointer
    const page = item.ownerDocument;
    const move = ({ clientY }) => {
      const within = (each) => clientY > each.getBoundingClientRect().top && clientY < each.getBoundingClientRect().bottom;
      const over = [...list.children].find((each) => each !== item && within(each));
      if (over) item.compareDocumentPosition(over) & 4 ? over.after(item) : over.before(item);
    };
    const end = () => {
      item.classList.remove("held");
      page.removeEventListener("pointermove", move);
      for (const name of ["pointerup", "pointercancel"]) page.removeEventListener(name, end);
      moved(item);
    };
    item.classList.add("held");
    item.focus();
    page.addEventListener("pointermove", move);
    for (const name of ["pointerup", "pointercancel"]) page.addEventListener(name, end);
  };
  for (const one of part.options) {
    const grip = h("span", { class: "grip", "aria-hidden": "true" }, "⠿");
    const item = h("li", { tabindex: 0, role: "option", "data-value": one }, grip, String(one));
    item.addEventListener("keydown", (event) => {
      const up = event.key === "ArrowUp";
      if (!up && event.key !== "ArrowDown") return;
      const beside = up ? item.previousElementSibling : item.nextElementSibling;
      if (beside) {
        up ? beside.before(item) : beside.after(item);
        item.focus();
        moved(item);
      }
      event.preventDefault();
    });
    item.addEventListener("pointerdown", (event) => { event.preventDefault(); drag(item); });
    list.append(item);
  }
  moved(list.firstChild, true);
  return h("div", {}, h("div", { class: "range" }, "Drag, or focus one and press ↑ ↓. First on top."), list, live);
}

/** An answer as misconceptions.toml names it. */
const named = (part, answer) => told(part.kind === "several" ? part.options.filter((one) => answer.includes(one)) : answer);

/** The belief behind a wrong answer, if the course knows it. */
function belief(part, said, sentences) {
  const words = sentences[named(part, said)];
  return words ? inner("belief", words) : "";
}

/** What was said to a part, and what it is, in marks and words. */
function summary(part, said, right, good, skipped) {
  const name = part.label ? h("div", { class: "label" }, part.label) : "";
  if (!part.options.length || part.kind === "order") {
    const yours = skipped ? "" : h("p", { class: "said" }, `${good ? "✓" : "✗"} You said ${told(said)}.`);
    return h("div", {}, name, yours, good ? "" : h("p", { class: "said" }, `It is ${told(right)}.`));
  }
  const has = (one, of) => of !== undefined && (Array.isArray(of) ? of.map(fold).includes(fold(one)) : fold(of) === fold(one));
  const mark = (one) => {
    const yours = !skipped && has(one, said), ok = has(one, right);
    const words = yours ? (ok ? "✓ you said" : "✗ you said") : ok ? "✓ it is" : "";
    const classes = `pick was${ok ? " true" : ""}${yours ? " yours" : ""}`;
    return h("span", { class: classes }, String(one), words && h("small", {}, words));
  };
  return h("div", {}, name, h("div", { class: "picks" }, ...part.options.map(mark)));
}

function verdict(right, skipped) {
  const count = right.filter(Boolean).length;
  if (skipped) return "Skipped. Here is what happens.";
  if (count === right.length) return "You were right.";
  if (!count) return "A surprise.";
  const said = WORDS[count], rest = WORDS[right.length - count];
  return `${said[0].toUpperCase()}${said.slice(1)} right, ${rest} ${rest === "one" ? "surprise" : "surprises"}.`;
}

/** A button that opens the belief behind a wrong answer beside IBM MQ; "" if the course imagines none. */
function offer(id, show) {
  if (!id) return "";
  const place = h("section", { class: "both", tabindex: -1, "aria-label": "Your belief and IBM MQ", hidden: true },
    h("p", { role: "status" }, "Both labs run as soon as the kernel is free."));
  const open = (event) => {
    event.currentTarget.disabled = true;
    place.hidden = false;
    place.focus({ preventScroll: true });
    place.scrollIntoView({ block: "nearest" });
    show(id, place);
  };
  return h("div", {}, h("div", { class: "row" }, button("go", open, "Show me both"), "A lab that follows your belief beside IBM MQ, until they differ"), place);
}

/** Show a question in `root`; `tell(state, said)` is called with each answer, and `show(id, place)` shows a belief. */
function mount(root, spec, kept, state, said, tell, show) {
  const [first] = spec.parts;
  const alone = spec.parts.length === 1 && ["number", "choose"].includes(first.kind) && first.options.length > 0;
  const saying = [];
  const hint = h("p", { class: "hint", role: "alert" });
  const refuse = (words) => { hint.textContent = words; };
  const opened = h("div", { class: "opened" }), controls = h("div", { class: "controls" });
  const box = h("section", { class: "mqlab-predict live", "aria-label": `Prediction: ${spec.plain}` },
    h("div", { class: "kicker" }, "Predict"), inner("ask", spec.ask), controls, opened);
  root.append(box);

  function commit() {
    for (const [n, part] of spec.parts.entries()) {
      if (saying[n] === undefined) return refuse(`Choose ${part.label ? "for " + part.label : "an answer"} first, or skip.`);
      if (saying[n]?.wrong === undefined) continue;
      const range = part.low === null ? "" : ` from ${part.low} to ${part.high}`;
      return refuse(`A whole number${range}, please: “${saying[n].wrong}” is not one. Nothing was recorded.`);
    }
    tell("said", saying.slice());
    reveal("said", saying.slice(), true);
  }
  function ask() {
    saying.length = 0;
    box.dataset.state = "asked";
    refuse("");
    const skip = () => { tell("skipped", []); reveal("skipped", [], true); };
    const parts = spec.parts.map((part, n) => h("div", { role: "group", class: "part", "aria-label": part.label || "Your prediction" },
      part.label ? h("div", { class: "label" }, part.label) : "",
      control(part, alone, (value) => { saying[n] = value; }, commit, () => refuse(""))));
    const row = h("div", { class: "row" }, alone ? "" : button("go", commit, "That is my prediction"),
      button("quiet", skip, "Skip: show me"));
    // Shift+Tab from below must not come to Skip first, where Enter would throw the question away
    const answers = "button, input, li";
    row.lastChild.addEventListener("focus", (event) => {
      if (event.target.matches(":focus-visible") && !box.contains(event.relatedTarget)) [...parts.at(-1).querySelectorAll(answers)].at(-1)?.focus();
    });
    controls.replaceChildren(...parts, hint, row);
    opened.replaceChildren();
  }
  function again() {
    tell("asked", []);
    ask();
    controls.querySelector("button, input, li")?.focus();
  }
  function reveal(how, said, now) {
    const found = JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(kept), (c) => c.charCodeAt(0))));
    const skipped = how === "skipped";
    const right = spec.parts.map((part, n) => !skipped && same(part, said[n], found.right[n]));
    box.dataset.state = skipped ? "skipped" : right.every(Boolean) ? "right" : "surprise";
    controls.replaceChildren(...spec.parts.map((part, n) =>
      h("div", { class: "part" }, summary(part, said[n], found.right[n], right[n], skipped))));
    const beliefs = skipped ? [] : spec.parts.map((part, n) => belief(part, said[n], found.beliefs[n]));
    const words = h("div", { class: "verdict", tabindex: -1 }, verdict(right, skipped), ...beliefs);
    words.removeAttribute("data-lm-suppress-shortcuts"); // Shift+Enter goes on
    const short = found.code.split("\n").length <= 12;
    const believed = skipped ? [] : spec.parts.map((part, n) => (right[n] ? "" : found.both?.[n][named(part, said[n])]));
    opened.replaceChildren(words, offer(believed.find(Boolean), show), inner("why", found.why), found.result ? inner("result", found.result) : "",
      h("details", { class: "ran", open: short }, h("summary", {}, "The experiment"), inner("code", found.code, "pre")),
      h("div", { class: "row" }, button("quiet", again, "Ask me again")));
    if (now) words.focus({ preventScroll: true });
  }
  ask();
  if (state !== "asked") reveal(state, said, false);
}

export default {
  render({ model, el }) {
    mount(el, model.get("spec"), model.get("kept"), model.get("state"), model.get("said"), (state, said) => {
      model.set("said", said);
      model.set("state", state);
      model.save_changes();
    }, (id, place) => {
      const made = async () => {
        model.off("change:both", made);
        const both = await model.widget_manager.get_model(model.get("both").slice("IPY_MODEL_".length));
        place.replaceChildren((await model.widget_manager.create_view(both)).el);
      };
      model.on("change:both", made);
      model.send({ both: id });
    });
  },
};
