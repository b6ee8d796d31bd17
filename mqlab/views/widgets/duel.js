// Two players side by side on one clock, with the score of both. It asks for a prediction first, and shows then.

const GUESSES = [["", "?"], ["-1", "fewer"], ["0", "as many"], ["1", "more"]];
const LONGEST = 90_000; // milliseconds: a race is not played longer than this at the speed that it begins with
const SCORE_WORDS = { waiting: "still waiting" };

/** A race in `el`. `options`: page (alone on a page), elk, changed(position), answered (nothing is asked). */
class Duel {
  constructor(el, data, options = {}) {
    Object.assign(this, { el, data, options, position: -1, playing: false, speed: 1, answered: Boolean(options.answered || data.parted) });
    for (const name of data.shared) data.sides[1][name] = data.sides[0][name];
    this.recordings = data.sides.map((side) => new Recording(side));
    this.guesses = Object.keys(data.meanings).map((name) => h("select", { "aria-label": `Your prediction: ${SCORE_WORDS[name] ?? name}`, title: `Of ${data.names[1]}, compared with ${data.names[0]}` },
      ...GUESSES.map(([value, words]) => h("option", { value }, words))));
    this.build();
    this.players = this.recordings.map((recording, side) => new Player(this.pictures[side], recording, { bare: true, elk: options.elk, drew: () => this.drew(side) }));
    const { width, height } = this.players[0].canvas.scene;
    this.root.style.setProperty("--mq-shape", `${width + 24} / ${height + 24}`);
    this.players.forEach((player, side) => { player.canvas.rival = (id) => this.recordings[1 - side].fact(id, this.players[1 - side].drawn); });
    this.setSpeed(data.parted ? 1 : SPEEDS.find((speed) => this.lasts() / speed <= LONGEST) ?? SPEEDS.at(-1));
    this.keys = (event) => this.key(event);
    (options.page ? document : this.root).addEventListener("keydown", this.keys);
    this.asking();
    this.go(data.first);
  }

  close() {
    this.pause();
    (this.options.page ? document : this.root).removeEventListener("keydown", this.keys);
    for (const player of this.players) player.close();
    this.root.remove();
  }

  get last() { return this.data.moments.length / 2 - 1; }

  /** The steps of both at a moment. */
  steps(moment) { return [this.data.moments[2 * moment], this.data.moments[2 * moment + 1]]; }

  /** When a moment is, in microseconds since the start. */
  time(moment) { return Math.max(...this.steps(moment).map((step, side) => this.recordings[side].steps.time_us[step])); }

  build() {
    const { data, options } = this, [one, two] = options.page ? ["h1", "h2"] : ["h3", "h4"];
    const button = (name, words, key, act, icon) => h("button", { type: "button", class: `mq-${name}`, title: `${words} (${key})`, "aria-label": words, onclick: act }, glyph(icon));
    this.playButton = button("play", "Play", "Space", () => this.toggle(), "play");
    this.range = h("input", { type: "range", class: "mq-range", min: 0, max: this.last, step: 1, "aria-label": "Time of both", oninput: () => { this.pause(); this.go(+this.range.value); } });
    this.when = h("output", { class: "mq-when" });
    this.speeds = h("select", { "aria-label": "Speed", onchange: () => this.setSpeed(+this.speeds.value) }, ...SPEEDS.map((speed) => h("option", { value: speed }, `${speed}×`)));
    this.controls = h("section", { class: "mq-controls", "aria-label": "Controls" }, this.range, h("div", { class: "mq-buttons" },
      button("first", "Beginning", "Home", () => this.move(0), "first"), button("back", "A moment back", "Left", () => this.move(this.position - 1), "back"), this.playButton,
      button("step", "A moment on", "Right", () => this.move(this.position + 1), "step"), button("last", "End", "End", () => this.move(this.last), "last"),
      data.parted ? h("button", { type: "button", class: "mq-parting", onclick: () => this.move(data.first) }, "Where they part") : "",
      this.when, h("label", { class: "mq-speed" }, h("span", {}, "Speed"), this.speeds)));
    this.pictures = data.names.map(() => h("div", { class: "mq-side" }));
    this.said = data.names.map(() => h("p", { class: "mq-said" }));
    this.cells = data.names.map(() => this.guesses.map(() => h("td", {}, "?")));
    this.showButton = h("button", { type: "button", class: "mq-show", onclick: () => this.answer() }, "Show it");
    const heads = Object.entries(data.meanings).map(([name, meaning]) => h("th", { scope: "col", title: meaning }, SCORE_WORDS[name] ?? name, h("small", {}, meaning)));
    this.ask = h("tr", { class: "mq-ask" }, h("th", { scope: "row" }, `Your prediction for “${data.names[1]}”`), ...this.guesses.map((guess) => h("td", {}, guess)));
    this.caption = h("th", { scope: "col", class: "mq-moment" });
    const scores = h("div", { class: "mq-scores", tabindex: 0, role: "region", "aria-label": "Score" }, h("table", {}, h("thead", {}, h("tr", {}, this.caption, ...heads)),
      h("tbody", {}, ...data.names.map((name, side) => h("tr", {}, h("th", { scope: "row" }, name), ...this.cells[side])), this.ask)));
    this.root = h(options.page ? "main" : "section", { class: "mq-duel", "aria-label": options.page ? null : "Two futures", tabindex: options.page ? null : 0, "data-lm-suppress-shortcuts": options.page ? null : "true" },
      h("div", { class: "mq-bar" }, h(one, { class: "mq-title" }, data.title), this.showButton),
      data.parted ? "" : scores, h("div", { class: "mq-sides" }, ...data.names.map((name, side) => this.side(name, side, two))), this.controls);
    this.el.append(this.root);
  }

  /** One of the two, with its sentence where they part; a side that is imagined says so. */
  side(name, side, heading) {
    const { parted } = this.data, imagined = parted && side === 1;
    return h("section", { "aria-label": name, class: imagined ? "mq-imagined" : null }, h(heading, {}, name),
      parted ? h("p", { class: "mq-parted" }, parted[side]) : "", this.pictures[side], this.said[side]);
  }

  /** Until the answer is shown both stand where they are still alike. */
  asking() {
    this.root.classList.toggle("mq-asking", !this.answered);
    this.showButton.hidden = this.answered;
    for (const each of this.controls.querySelectorAll("input, button, select")) each.disabled = !this.answered;
    for (const guess of this.guesses) guess.disabled = this.answered;
    this.ask.hidden = this.answered && this.guesses.every((guess) => !guess.value);
    this.tell();
  }

  /** The prediction is made: show what becomes of both. */
  answer() {
    this.answered = true;
    this.asking();
    this.options.changed?.("answered", true);
    this.playButton.focus({ preventScroll: true });
    if (this.options.page) this.play();
  }

  /** Go to a moment; messages fly where a step follows the one before. */
  go(moment, fly = false) {
    moment = Math.min(Math.max(0, Math.round(moment) || 0), this.last);
    if (moment === this.position) return;
    this.position = moment;
    this.range.value = moment;
    this.when.textContent = `${this.recordings[0].clock(this.time(moment))} · ${moment} of ${this.last}`;
    this.range.setAttribute("aria-valuetext", this.when.textContent);
    this.steps(moment).forEach((step, side) => { const player = this.players[side]; player.speed = this.speed; player.go(step, { fly: fly && step > player.position, told: false }); });
    this.options.changed?.("position", moment);
    this.tell();
  }

  move(moment) { this.pause(); this.go(moment, moment === this.position + 1); }

  /** One side was drawn: what differs from it is marked in the other. */
  drew(side) {
    if (!this.players) return;
    const player = this.players[side], { recording, drawn } = player;
    this.players[1 - side].canvas.draw();
    this.said[side].textContent = `${recording.clock(recording.steps.time_us[drawn])} · ${sentence(recording.steps.said[drawn])}`;
    this.said[side].classList.toggle("mq-alarmed", ALARMS.has(recording.steps.sort[drawn]));
    this.tell();
  }

  /** The score of one side at what is drawn of it. */
  score(side) {
    const track = this.data.scores[side];
    return track[reached(track, this.players[side].drawn ?? 0, 2) * 2 - 1];
  }

  /** The score of both, and at the end whether the predictions were right. */
  tell() {
    const scores = [this.score(0), this.score(1)], end = this.position === this.last;
    this.caption.textContent = this.answered ? `Messages at ${this.recordings[0].clock(this.time(Math.max(0, this.position)))}` : "Predict first: how many at the end?";
    this.guesses.forEach((guess, at) => {
      const by = scores[1][at] - scores[0][at], right = String(Math.sign(by)) === guess.value;
      this.cells[0][at].textContent = this.answered ? scores[0][at] : "?";
      this.cells[1][at].replaceChildren(this.answered ? `${scores[1][at]} ` : "?", this.answered && by ? h("span", { class: "mq-by" }, `${by > 0 ? "+" : "−"}${Math.abs(by)}`) : "");
      guess.parentElement.dataset.verdict = this.answered && end && guess.value ? (right ? "✓" : "✗") : "";
    });
  }

  /** How long a moment is looked at, in milliseconds at single speed. */
  dwell(moment) { return Math.max(...this.steps(moment).map((step, side) => (moment && step === this.steps(moment - 1)[side] ? 0 : this.players[side].dwell(step)))); }

  /** How long all of it lasts. */
  lasts() { let sum = 0; for (let moment = 0; moment <= this.last; moment++) sum += this.dwell(moment); return sum; }

  toggle() { if (this.playing) this.pause(); else this.play(); }

  play() {
    if (this.playing || !this.answered) return;
    if (this.position >= this.last) this.go(0);
    this.running(true);
    this.tick();
  }

  pause() { clearTimeout(this.timer); if (this.playing) this.running(false); }

  running(on) {
    this.playing = on;
    this.playButton.replaceChildren(glyph(on ? "pause" : "play"));
    this.playButton.setAttribute("aria-label", on ? "Pause" : "Play");
  }

  tick() {
    if (this.position >= this.last) return this.pause();
    const wait = () => { this.timer = this.players.some((player) => player.flight) ? setTimeout(wait, 30) : setTimeout(() => { this.go(this.position + 1, true); if (this.playing) this.tick(); }, this.dwell(this.position) / this.speed); };
    return wait();
  }

  setSpeed(speed) { this.speed = speed; this.speeds.value = speed; }

  key(event) {
    const { target } = event, act = { " ": () => this.toggle(), ArrowRight: () => this.move(this.position + 1), ArrowLeft: () => this.move(this.position - 1), Home: () => this.move(0), End: () => this.move(this.last) }[event.key];
    if (!act || !this.answered || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || target.closest?.("select, input")) return;
    if (event.key === " " && target.closest?.("button, [role=button]")) return;
    event.preventDefault(); event.stopPropagation();
    act();
  }
}

/** The notebook widget of a race: its moment and whether it has been answered are the model's, too. */
async function renderDuel({ model, el }) {
  el.classList.add("mqlab-player");
  const view = model.get("recording"), data = await unpack(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  let duel = null;
  duel = new Duel(el, data, { elk: elkFrom(model.get("elk")), answered: model.get("answered"), changed: (name, value) => { if (duel) { model.set(name, value); model.save_changes(); } } });
  duel.go(model.get("position"));
  const moved = () => duel.go(model.get("position"));
  model.on("change:position", moved);
  return () => { model.off("change:position", moved); duel.close(); };
}

