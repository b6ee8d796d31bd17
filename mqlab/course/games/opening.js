// The opening: one queue to break. The engine has walked every state that it can be in; the page follows the edges.
const NAMES = ["tea", "rice", "soap", "salt", "bread", "milk", "eggs", "jam", "rusk", "figs", "oats", "plums"];

function opening(root, spec, tell) {
  const found = globalThis.mqlabFound ??= new Set(); // what was found stays found if the cell runs again
  let cards = [], made = 0, seconds = 0, state = 0, last = Promise.resolve();
  const lane = h("ol", { class: "lane", "aria-label": "Messages on ORDERS, the next to be returned first" });
  const depth = h("b", {}, "0"), time = h("span", { class: "clock", role: "timer", "aria-label": "Clock" }, clock(0));
  const says = h("div", { class: "says", role: "status" }, h("span", {}, "The queue is empty. Put a message on it."));
  const lived = (place) => spec.lifetimes[place] === null ? "unlimited" : `${spec.lifetimes[place]} s`;
  const lives = h("span", { class: "lives" }, lived(spec.lifetimes.length - 1));
  const slider = h("input", {
    type: "range", min: 0, max: spec.lifetimes.length - 1, step: 1, value: spec.lifetimes.length - 1,
    "aria-label": "Lifetime of the next message", "aria-valuetext": lives.textContent,
    oninput: () => { lives.textContent = lived(slider.value); slider.setAttribute("aria-valuetext", lives.textContent); },
  });
  const goals = spec.goals.map(([key, words]) => h("li", { "data-goal": key }, h("span", { class: "unseen" }, "not found yet: "), words));
  const lesson = h("p", { class: "lesson", hidden: true }, h("strong", {}, spec.lesson[0]), spec.lesson[1]);
  const press = (words, action, kind) => h("button", { type: "button", class: kind, onclick: () => { last = last.then(() => go(action())); } }, words);
  root.append(h("section", { class: "mqlab-game live", "aria-label": "One queue to play with" },
    h("p", { class: "title" }, "One queue. Break it."),
    h("p", {}, `ORDERS holds at most ${spec.maxdepth} messages. There are three things to find, in any order:`),
    h("ul", { class: "goals" }, ...goals),
    h("div", { class: "bar" }, press("Put", () => `put:${slider.value}`, "go"), h("label", {}, "lifetime", slider, lives),
      press("Get", () => "get"), press("Browse", () => "browse"), time, press(`+${spec.tick} s`, () => "tick")),
    h("div", { class: "queue" }, lane,
      h("div", { class: "depth" }, h("small", {}, "CURDEPTH"), depth, h("small", {}, `of ${spec.maxdepth}`)),
      h("div", { class: "ends" }, h("span", {}, "◀ a get takes messages from this end"), h("span", {}, "a put adds them at this end ◀"))),
    says, lesson));
  draw();
  mark();

  async function go(action) {
    const [next, reason, returned, discarded, rule] = spec.edges[state][spec.actions.indexOf(action)];
    const before = cards, taken = action === "get" ? returned : null;
    state = next;
    seconds += action === "tick" ? spec.tick : 0;
    time.textContent = clock(seconds);
    [...lane.querySelectorAll(".card")].forEach((card, n) => {
      card.classList.remove("seen");
      if (discarded.includes(n)) card.classList.add("discarded");
      else if (n === taken) card.classList.add("returned");
    });
    cards = before.filter((_, n) => n !== taken && !discarded.includes(n));
    if (action.startsWith("put") && !reason) cards.push({ name: NAMES[made++ % NAMES.length], fresh: true });
    spec.states[state].forEach((left, n) => { cards[n].left = left; });
    report(action, reason, before, returned, discarded, spec.rules[rule]);
    if (before.length > cards.length && !still()) await new Promise((then) => setTimeout(then, 360));
    draw(action === "browse" && returned !== null ? before[returned] : null);
  }

  function report(action, reason, before, returned, discarded, rule) {
    const names = discarded.map((n) => before[n].name).join(", "), name = returned === null ? "" : before[returned].name;
    const expired = before.filter((card) => card.left === 0).length, added = cards.at(-1);
    const also = names ? ` The ${action} reached expired messages and discarded them: ${names}.` : "";
    const words = reason === 2053
      ? `MQRC_Q_FULL. The queue already holds MAXDEPTH(${spec.maxdepth}) messages.${expired ? ` ${expired} of them expired, and still count.` : ""}`
      : reason === 2033 ? `MQRC_NO_MSG_AVAILABLE. ${before.length ? `CURDEPTH was ${before.length}, and no message could be returned.` : "The queue is empty."}${also}`
      : action === "get" ? `The get returns ${name}.${also}`
      : action === "browse" ? `The browse returns a copy of ${name}, which stays on the queue.${also}`
      : action === "tick" ? `${spec.tick} seconds pass. No program calls, so the queue does not change.`
      : `${added.name} is on the queue${added.left === null ? "" : ` and expires in ${added.left} seconds`}.`;
    says.classList.toggle("bad", reason > 0);
    says.replaceChildren(reason ? h("b", {}, String(reason)) : "", h("div", {}, h("span", {}, words), ruled(rule)));
    find(reason === 2053 ? "full" : reason === 2033 ? "none" : "");
    find(reason === 2033 && before.length ? "expired" : "");
  }

  function find(goal) {
    if (!goals.some((each) => each.dataset.goal === goal) || found.has(goal)) return;
    found.add(goal);
    mark();
    if (!lesson.hidden) tell({ key: "opening", right: true });
  }

  function mark() {
    for (const item of goals.filter((each) => found.has(each.dataset.goal))) {
      item.classList.add("done");
      item.firstChild.textContent = "found: ";
    }
    lesson.hidden = found.size < goals.length;
  }

  function draw(seen) {
    depth.textContent = cards.length;
    lane.replaceChildren(...cards.map((card) => {
      const over = card.left === 0, left = card.left === null ? "unlimited" : over ? "expired" : `${card.left} s left`;
      const shown = h("li", { class: `card${over ? " expired" : ""}${card.fresh ? " fresh" : ""}${card === seen ? " seen" : ""}` }, h("b", {}, card.name), h("small", {}, left));
      card.fresh = false;
      return shown;
    }), ...Array.from({ length: spec.maxdepth - cards.length }, () => h("li", { class: "slot", "aria-hidden": "true" })));
  }
}
