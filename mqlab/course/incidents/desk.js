// The desk of an incident: the pager, a live map, a console, and a clock, in a notebook and on a page. Python answers
// (desk.py); the scripts after this one draw (mqlab/views).
const BUTTONS = [
  ["error_log", "Read error log", "The last messages of the chosen queue manager (1 minute)"], ["wait", "Wait a minute", "Let a minute pass, and ask the business"],
  ["hint", "Show hint", "The next of three hints (5 minutes)"], ["close", "Report repaired", "The estate is watched for 10 minutes"],
  ["give_up", "Give up", "End the incident and show the answer"],
];
const NAMES = Object.fromEntries(BUTTONS), FILM = 6000, MINUTE_FILM = 2000; // milliseconds that the map plays at first, and later

/** A desk in `el`. `ask(question)` is a promise of an answer; `first` is the answer to {"ask": "show"}; `options`: title,
 *  share (what a result begins with). */
export class Desk {
  constructor(el, ask, first, options = {}) {
    Object.assign(this, { el, ask, first, options, have: [0, 0], shown: -1, typed: [], back: 0, turn: Promise.resolve() });
    this.elk = async () => elkFrom(await ask({ ask: "elk" }))();
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.build();
    this.take(first, first.from);
  }

  close() { cancelAnimationFrame(this.film); this.player?.close(); this.duel?.close(); this.root.remove(); }

  build() {
    const { first } = this, button = (words, act, attributes = {}) => h("button", { type: "button", onclick: act, ...attributes }, words);
    this.clock = h("b", { class: "clock" }); this.score = h("span", { class: "score" }); this.business = h("span", {});
    this.map = h("div", { class: "map mqlab-player" });
    this.moment = h("output", {}); this.slider = h("input", { type: "range", "aria-label": "Moment of the map", oninput: () => this.seek(+this.slider.value) });
    this.qmgr = h("select", { "aria-label": "queue manager" }, ...first.qmgrs.map((name) => h("option", {}, name)));
    this.prompt = h("textarea", { rows: 2, spellcheck: "false", "aria-label": "MQSC commands", placeholder: "DISPLAY QLOCAL(*) WHERE(CURDEPTH GT 0)", onkeydown: (event) => this.key(event) });
    this.buttons = [button("run", () => this.run(), { class: "go" }), ...BUTTONS.map(([act, words, title]) => button(words, () => this.do(act), { title }))];
    this.log = h("div", { class: "log", role: "log", "aria-label": "Replies, the last one first" });
    this.note = h("p", { class: "note", role: "status" }); this.end = h("div", { class: "ending", role: "status" }); this.race = h("div", { class: "mqlab-player" });
    this.root = h("section", { class: "mqlab-desk mqlab-incident", "aria-label": first.title, "data-lm-suppress-shortcuts": "true" },
      h("div", { class: "pager" }, h("p", { class: "title" }, this.options.title ?? first.title), h("p", {}, h("b", {}, "PAGER "), first.pager)),
      this.map, h("label", { class: "moment" }, this.moment, this.slider),
      h("div", { class: "sides" },
        h("div", {}, h("p", {}, this.clock, this.score), h("p", {}, h("b", {}, "Business "), this.business),
          h("div", { class: "typing" }, h("div", { class: "at" }, this.qmgr, h("small", {}, `Enter runs. The name of a queue manager alone switches to it.${first.zos.length ? ` IBM MQ for z/OS (${first.zos.join(", ")}) has CSQ numbers instead of AMQ.` : ""}`)), this.prompt),
          h("div", { class: "buttons" }, ...this.buttons), this.note, this.end,
          h("details", {}, h("summary", {}, "The estate: its queues and channels"), h("p", {}, first.about), objects(first.objects))),
        this.log), this.race);
    this.el.append(this.root);
  }

  /** Show an answer; the map plays from where it is, at first from step `from`. */
  take(answer, from) {
    const { steps } = answer, ended = answer.state !== "open";
    this.found = (queue, attribute) => ended || answer.found.includes(`${queue} ${attribute}`);
    if (answer.recording !== this.have[0]) {
      const at = this.player?.position ?? from;
      this.player?.close();
      this.recording = new Recording(steps);
      this.recording.fact = (id, n) => this.veiled(id, Recording.prototype.fact.call(this.recording, id, n));
      this.player = new Player(this.map, this.recording, { bare: true, elk: this.elk });
      this.player.go(at);
    } else this.recording.extend(steps);
    this.have = [answer.recording, this.recording.length];
    this.clock.textContent = answer.clock;
    this.score.textContent = `${answer.state}: ${answer.score}`;
    this.business.textContent = answer.business;
    if (answer.switched) this.qmgr.value = answer.switched;
    this.log.replaceChildren(...answer.said.map((said) => entry(said)).reverse());
    if (ended && !this.end.children.length) this.finish(answer);
    this.play(from === undefined ? MINUTE_FILM : FILM);
  }

  /** A fact of the map, without what an operator finds by DISPLAY alone, until a reply has it. */
  veiled(id, fact) {
    const queue = id.split(/[/>]/)[1];
    if (fact === false && id.endsWith(":initq")) return !this.found(queue, "TRIGGER");
    if (!(fact?.length > 5) || (fact[4] && fact[5])) return fact;
    return fact.toSpliced(4, 2, fact[4] || !this.found(queue, "PUT"), fact[5] || !this.found(queue, "GET"));
  }

  /** Let the map go on to the last step, in so many milliseconds. */
  play(lasts) {
    const { player, recording } = this, us = (n) => recording.steps.time_us[n], last = recording.length - 1;
    const from = us(player.position), to = us(last);
    Object.assign(this.slider, { min: this.first.from, max: last });
    cancelAnimationFrame(this.film);
    if (this.still.matches) return this.seek(last);
    let began = null;
    const move = (now) => {
      began ??= now;
      const share = Math.min(1, (now - began) / lasts);
      this.go(share < 1 ? recording.at(from + share * (to - from)) : last);
      if (share < 1) this.film = requestAnimationFrame(move);
    };
    this.film = requestAnimationFrame(move);
    return undefined;
  }

  seek(n) { cancelAnimationFrame(this.film); this.go(n); }

  go(n) {
    this.player.go(n, { told: false });
    this.slider.value = n;
    this.moment.textContent = `Map at ${this.recording.clock(this.recording.steps.time_us[n], 0)}`;
    this.slider.setAttribute("aria-valuetext", this.moment.textContent);
  }

  key(event) {
    const { prompt } = this, line = !prompt.value.includes("\n");
    event.stopPropagation(); // a notebook's shortcuts must not see what is written here
    if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); this.run(); }
    else if (line && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      event.preventDefault();
      this.back = Math.max(0, Math.min(this.typed.length, this.back + (event.key === "ArrowUp" ? 1 : -1)));
      prompt.value = this.back ? this.typed.at(-this.back) : "";
    }
  }

  run() {
    const text = this.prompt.value.trim();
    if (!text) return this.prompt.focus();
    this.typed.push(text); this.back = 0; this.prompt.value = "";
    return this.do("run", text);
  }

  /** Ask for something, one after the other; what goes wrong is said. */
  do(act, text = "") {
    const waits = entry({ at: this.clock.textContent, act, qmgr: this.qmgr.value, text, said: this.note.textContent || "…", right: true });
    waits.className = "waits"; this.log.prepend(waits); // until the answer replaces the log
    return this.asking(async () => this.take(await this.ask({ ask: "do", since: this.have, act, qmgr: this.qmgr.value, text })));
  }

  asking(act) {
    this.root.setAttribute("aria-busy", "true");
    this.turn = this.turn.then(act).then(() => this.tell(""), (error) => this.tell(error.message)).then(() => this.root.removeAttribute("aria-busy"));
    return this.turn;
  }

  /** Words below the buttons: what loads, or what failed. */
  tell(words) {
    this.note.textContent = words;
    for (const reply of this.log.querySelectorAll(".waits pre")) reply.textContent = words || "…";
  }

  finish({ ending, state, score }) {
    this.root.classList.add("over");
    const result = `${this.options.share ?? this.first.title}: ${state}, ${score}`;
    const replay = h("button", { type: "button", class: "go", onclick: () => this.replay(replay) }, "Show replay");
    this.end.replaceChildren(h("pre", { tabindex: 0 }, ending), h("p", {}, h("label", {}, "Your result, without the answer ", h("input", { readonly: true, size: 60, value: result }))), replay);
    replay.focus({ preventScroll: true });
  }

  /** Your way beside an expert's, on one clock. */
  replay(button) {
    button.disabled = true;
    this.tell("Playing your way and an expert's …");
    return this.asking(async () => {
      this.duel = new Duel(this.race, await this.ask({ ask: "replay" }), { answered: true, elk: this.elk });
      this.duel.playButton.focus({ preventScroll: true });
      requestAnimationFrame(() => requestAnimationFrame(() => this.race.scrollIntoView({ block: "start" }))); // when the maps have their size
    });
  }
}

/** What was done, and what came of it. */
function entry({ at, act, qmgr, text, said, right }) {
  const where = act === "run" || act === "error_log" ? ` ${qmgr}> ` : " ";
  return h("div", right ? {} : { class: "bad" }, h("p", {}, h("b", {}, `${at}${where}`), act === "run" ? text : NAMES[act]), h("pre", {}, said));
}

function objects(html) { const made = h("div", {}); made.innerHTML = html; return made; }

/** The notebook widget: each question has a number, by which its answer is known. */
async function renderDesk({ model, el }) {
  let number = 0, desk;
  const mine = Math.random(), waits = new Map(); // another view of the same desk asks, too
  const heard = ({ to, number, text }) => { if (to === mine) waits.get(number)?.(JSON.parse(text)); };
  const ask = (question) => new Promise((done) => { waits.set(++number, done); model.send({ to: mine, number, question: JSON.stringify(question) }); });
  const waiting = h("p", { class: "mqlab-desk mqlab-incident", role: "status" }, "The pager rings.");
  el.append(waiting);
  model.on("msg:custom", heard);
  desk = new Desk(el, ask, await ask({ ask: "show" }));
  waiting.remove();
  return () => { model.off("msg:custom", heard); desk.close(); };
}
