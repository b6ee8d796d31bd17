// Be the queue manager: a call and the messages on a queue. The player says what becomes of each; the engine has decided
// already, so the page only compares. A review is played by the same script: its levels are questions, without rounds.
// Every card is a group of radio buttons: one tab stop, arrow keys, no script needed.
let groups = 0;

function game(root, spec, tell, ask) {
  const rounds = [...spec.rounds], solved = new Set(spec.solved);
  let place = spec.level - 1, streak = 0, asking = false; // the levels come first, then the rounds
  const stage = h("div", { class: "stage" });
  const name = spec.title ?? "Be the queue manager", unit = spec.unit ?? "Level", endless = rounds.length > 0;
  const menu = h("nav", { class: "levels", "aria-label": `${unit}s` });
  const section = h("section", { class: "mqlab-game live", "aria-label": name }, h("div", { class: "head" }, h("p", { class: "title" }, name), menu), stage);
  root.append(section);
  open(place, false);

  function choose() {
    const at = (number, words, name) => h("button", {
      type: "button", class: `level${number === Math.min(place, spec.levels.length) ? " here" : ""}`, "aria-label": name,
      "aria-current": number === Math.min(place, spec.levels.length) ? "step" : null, onclick: () => open(number, true),
    }, words);
    menu.replaceChildren(...spec.levels.map((level, n) => {
      const done = solved.has(level.key);
      return at(n, `${done ? "✓" : ""}${n + 1}`, `${unit} ${n + 1}: ${level.title}${done ? ", solved" : ""}`);
    }), endless ? at(spec.levels.length, "Rounds", "Endless rounds") : "");
  }

  function open(number, focus) {
    place = number;
    const past = place - spec.levels.length;
    if (ask && endless && !asking && past >= rounds.length - 4) {
      asking = true;
      ask(spec.seed + rounds.length, (found) => { rounds.push(...found); asking = false; });
    }
    choose();
    show(past < 0 ? spec.levels[place] : rounds[past % rounds.length], past, focus);
  }

  function show(round, past, focus) {
    const group = (name, legend, options, chosen, extra = []) => {
      const id = `mqlab-game-${++groups}`;
      return h("fieldset", { "data-name": name }, h("legend", {}, legend), ...extra, h("div", { class: "choices" }, ...options.map(([value, words]) => h("label", {},
        h("input", { type: "radio", name: id, value, checked: value === chosen, onchange: fill }), h("span", {}, words)))));
    };
    const cards = round.cards.map((card) => {
      const facts = card.facts.map((fact) => h("small", {}, fact));
      return h("li", { class: `card ${card.look}`, "data-name": card.name }, group(card.name, card.name, round.choices, round.chosen, facts));
    });
    const questions = round.questions.map((each) => group(each.label, each.label, each.options, null));
    const out = h("div", { class: "out" });
    const title = h("p", { class: "sub", tabindex: -1 }, past < 0 ? `${unit} ${place + 1} of ${spec.levels.length}: ${round.title}` : round.title);
    const form = h("form", { onsubmit: (event) => { event.preventDefault(); judge(); } }, // Enter in a radio button serves, too
      !cards.length ? "" : h("div", { class: "queue" }, h("ol", { class: "lane wide", "aria-label": round.chosen ? "Messages on the queue" : "Steps" }, ...cards), h("div", { class: "ends" }, round.order)),
      ...questions, h("div", { class: "bar" }, h("button", { type: "submit", class: "go" }, "Serve the call")));
    if (!round.chosen) form.querySelector(".go").textContent = "Give my answer";
    stage.replaceChildren(title, h("p", {}, round.story), round.shown ? h("pre", { class: "shown", tabindex: 0, "aria-label": "MQSC" }, round.shown) : "", round.call ? h("p", { class: "call" }, round.call) : "", form, out);
    fill();
    if (focus) title.focus({ preventScroll: true });

    function said(name) {
      return [...form.querySelectorAll("fieldset")].find((each) => each.dataset.name === name)?.querySelector("input:checked")?.value ?? null;
    }
    function fill() {
      for (const card of cards) card.dataset.said = said(card.dataset.name) ?? "";
    }
    function judge() {
      const all = [...round.cards, ...round.questions];
      const missing = all.find((each) => said(each.name ?? each.label) === null);
      if (missing) {
        const name = missing.name ?? missing.label;
        out.replaceChildren(h("p", { class: "missing", role: "alert" }, `Choose an answer for ${name}.`));
        [...form.querySelectorAll("fieldset")].find((each) => each.dataset.name === name).querySelector("input").focus();
        return;
      }
      const wrong = all.filter((each) => said(each.name ?? each.label) !== each.answer), right = !wrong.length;
      const words = new Map([...round.choices, ...round.questions.flatMap((each) => each.options)]);
      for (const box of form.querySelectorAll("fieldset")) {
        const each = all.find((one) => (one.name ?? one.label) === box.dataset.name), ok = !wrong.includes(each);
        box.querySelector(".mark")?.remove();
        box.append(h("span", { class: `mark${ok ? "" : " no"}` }, ok ? "✓ right" : `✗ yours: ${words.get(said(box.dataset.name))}; the queue manager: ${words.get(each.answer)}`));
        box.closest(".card")?.classList.toggle("wrong", !ok);
        box.disabled = true;
      }
      form.querySelector(".go").disabled = true;
      if (past >= 0) streak = right ? streak + !solved.has(round.key) : 0; // neither levels nor repeated rounds count
      if (right) solved.add(round.key);
      choose();
      const judged = {}; // of each rule that decided an answer: was every answer by it right?
      for (const each of all) if (each.rule) judged[each.rule[0]] = (judged[each.rule[0]] ?? true) && !wrong.includes(each);
      for (const id of round.judges ?? []) judged[id] = right; // a prediction that is asked again has no rule for each answer
      tell({ key: round.key, right, judged, n: ++groups }); // n: the same result twice is told twice
      const verdict = h("p", { class: "verdict", tabindex: -1 }, right ? `As the queue manager does it.${streak > 1 && past >= 0 ? ` ${streak} rounds right in a row.` : ""}` : `${all.length - wrong.length} of ${all.length} as the queue manager does it.`);
      const unmet = (each) => each.answer === "quiet" && /^TRG-(0|1[014]$)/.test(each.rule?.[0]), by = (each) => `${each.rule?.[0]} ${unmet(each)}`;
      const why = [...new Set(all.map(by))].map((key) => { // a rule is shown once, below all answers that it decides
        const those = all.filter((each) => by(each) === key);
        return h("li", {}, ...those.map((each) => h("p", { class: wrong.includes(each) ? "no" : "" }, h("b", {}, `${each.name ?? each.label}: ${words.get(each.answer)}. `), each.why)), ruled(those[0].rule, unmet(those[0])));
      });
      const last = past < 0 && place === spec.levels.length - 1, end = !ask && past >= 0 && (past + 1) % rounds.length === 0;
      out.replaceChildren(h("div", { class: "bar" }, verdict,
        last && !endless ? h("span", {}, "That was the last question. Run the cell again to see if more are due.")
          : h("button", { type: "button", class: "go", onclick: () => open(place + 1, true) }, past >= 0 ? "Next round" : last ? "On to the rounds" : `Next ${unit.toLowerCase()}`),
        endless ? h("button", { type: "button", onclick: () => show(round, past, true) }, "Play it again") : "",
        end ? h("span", {}, "These were all the rounds of this page; they begin again. In a notebook they have no end.") : ""), h("ul", { class: "why" }, ...why, ...(round.reason ?? []).map((text) => h("li", {}, text))));
      verdict.focus({ preventScroll: true });
      out.scrollIntoView({ block: "nearest" });
    }
  }
}
