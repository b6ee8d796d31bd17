// The engine behind the gallery. It loads while the recordings play; then every moment can be changed, and what becomes of
// the story is a future of its own, played by the same player.
KEYS.push(["I", "what if: change something at this moment"]);
const BROWSERS = "Chrome or Edge 137, Firefox 153, Safari 27, or a newer version";
const NO_STACKS = `This browser cannot switch between the programs of a lab, so the simulator does not run; the recordings play. Use ${BROWSERS}.`;
const HINT = "Click an object in the picture, or a line between two queue managers, to see what can be done with it.";

/** Whether inputs have values that can be used; the browser says at the first one that has not. */
const right = (...inputs) => inputs.every((input) => input.reportValidity());

/** The engine in its worker. `told(words, share)` is called while it loads, share 1 when it can be asked. */
class Engine {
  constructor(told) {
    this.told = told; this.number = 0; this.asked = new Map();
    this.ready = new Promise((...ends) => { [this.go, this.stop] = ends; });
    this.ready.catch(() => {}); // whoever asks hears it
    if (!("Suspending" in WebAssembly)) return void this.end(NO_STACKS);
    try { this.begin(); } catch (error) { this.broken(error.message); }
  }

  begin() {
    this.told("The simulator is loading", 0);
    const files = {}, script = document.getElementById("engine").textContent;
    for (const element of document.querySelectorAll("script[data-engine]")) { files[element.dataset.engine] = element.textContent; element.remove(); }
    this.worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
    this.worker.onmessage = ({ data }) => this.heard(data);
    this.worker.onerror = (event) => this.broken(event.message ?? "the worker did not start");
    this.worker.postMessage({ files });
  }

  heard({ number, text, failed, loads, share }) {
    if (failed && !number) return this.broken(failed);
    if (number) {
      const [done, refuse] = this.asked.get(number);
      this.asked.delete(number);
      return failed ? refuse(new Error(`${failed}. Load this page again.`)) : done(JSON.parse(text));
    }
    this.told(share < 1 ? `The simulator is loading: ${loads}` : "The simulator is ready: open a scenario, and press I at any moment.", share);
    if (share === 1) { this.begun = true; this.go(); }
  }

  broken(why) {
    this.end(this.begun ? `The simulator has stopped (${why}). Load this page again; the recordings play.`
      : `The simulator did not start (${why}); the recordings play. Serve this page from a web server of this machine, or use ${BROWSERS}.`);
  }

  /** There is no engine, or none any longer: say so, also to every question that waits. */
  end(words) {
    const error = new Error(words);
    this.ready = Promise.reject(error); this.ready.catch(() => {});
    this.stop(error);
    this.worker?.terminate();
    for (const [, refuse] of this.asked.values()) refuse(error);
    this.asked.clear();
    this.told(words);
  }

  /** The answer to a question: what was found; an error whose `card` is HTML if it was refused. */
  async ask(ask, values = {}) {
    await this.ready;
    const number = ++this.number;
    const { found, refused } = await new Promise((...ends) => { this.asked.set(number, ends); this.worker.postMessage({ number, question: JSON.stringify({ ask, ...values }) }); });
    if (refused) throw Object.assign(new Error("refused"), { card: refused });
    return found;
  }
}

/** What can be done at the moment that a player shows, and the futures that came of it. `play(data, step)` shows another recording. */
class WhatIf {
  constructor(play) {
    this.play = play; this.name = ""; this.open = false; this.turn = 0;
    const button = (words, act) => h("button", { type: "button", onclick: act }, words);
    const part = (title, ...children) => h("section", {}, h("h3", {}, title), ...children);
    this.progress = h("progress", { max: 1, "aria-label": "Loading" }); this.status = h("p", { role: "status" });
    this.moment = h("p", { class: "mq-moment" });
    this.futures = h("select", { "aria-label": "Future", onchange: () => this.show(+this.futures.value) });
    this.compare = button("Compare with the story", () => this.race());
    this.answer = h("div", { class: "mq-answer", role: "status" });
    this.hint = h("p", { class: "mq-moment" }, HINT); this.named = h("h4", {}); this.calls = h("div", { class: "mq-presses" }); this.attributes = h("div", {});
    this.about = h("details", {}, h("summary", {}, "Attributes"), this.attributes);
    this.message = h("div", { class: "mq-presses" }); this.faults = h("div", {});
    this.text = h("input", { type: "text", value: "a message", "aria-label": "Text of the message", oninput: () => this.later() });
    this.seconds = h("input", { type: "number", required: true, min: 0, max: 86400, step: "any", value: 10, "aria-label": "Seconds of simulated time" });
    this.rate = h("input", { type: "number", required: true, min: 0.1, max: 100, step: "any", value: 1, "aria-label": "Messages a second" });
    this.steady = h("div", { class: "mq-presses" }, this.rate, "a second", button("Send traffic", () => right(this.rate, this.seconds) && this.change("traffic", { object: this.player.selected, rate: this.rate.valueAsNumber, seconds: this.seconds.valueAsNumber })));
    this.qmgr = h("select", { "aria-label": "Queue manager" });
    this.prompt = h("textarea", { rows: 2, placeholder: "DISPLAY QLOCAL(*) CURDEPTH", "aria-label": "MQSC commands",
      onkeydown: (event) => { if (event.key === "Enter" && (event.ctrlKey || event.shiftKey)) { event.preventDefault(); this.run(); } } });
    this.controls = h("div", { hidden: true }, h("div", { class: "mq-presses" }, this.futures, this.compare), this.answer, this.moment,
      part("In the picture", this.hint, this.named, this.text, this.calls, this.steady, this.about, this.message), part("Faults", this.faults),
      part("Time", h("div", { class: "mq-presses" }, this.seconds, "seconds", button("Advance", () => right(this.seconds) && this.advance(this.seconds.valueAsNumber)), button("Run until idle", () => this.advance(null)))),
      part("Console", this.prompt, h("div", { class: "mq-presses" }, this.qmgr, button("Run", () => this.run()), h("small", {}, "Ctrl+Enter runs"))), h("div", { class: "mq-presses" }, button("Save the event log", () => this.save())));
    this.root = h("section", { class: "mq-try", "aria-label": "What if", tabindex: -1 }, h("div", { class: "mq-trybar" }, h("h2", {}, "What if?"), button("Close", () => this.toggle())), this.progress, this.status, this.controls);
    this.button = h("button", { type: "button", class: "mq-whatif", title: "Change something at this moment (I)", "aria-expanded": "false", onclick: () => this.toggle() }, "What if?");
    addEventListener("keydown", (event) => this.key(event), true);
  }

  /** Words about the engine while it loads; `share` 1 when it is there, none if it will not come. */
  tell(words, share) {
    this.status.textContent = words; this.status.hidden = share === 1;
    this.progress.hidden = !(share < 1); this.progress.value = share ?? 0;
    if (share === 1) this.controls.hidden = false;
  }

  /** A player was opened: on a scenario, or on a `future` of the one before. */
  attach(player, name, data, future) {
    this.leave();
    const { selected = "" } = this.player ?? {};
    this.player = player; this.data = data;
    if (future && (selected.startsWith("link:") || player.canvas.model.nodes.has(selected))) player.select(selected);
    player.root.append(this.root);
    player.root.querySelector(".mq-told").append(this.button);
    player.root.classList.toggle("mq-trying", this.open);
    player.options.changed = (what) => { if (what === "position" || what === "selected") this.later(); };
    if (future) return this.later();
    this.name = name; this.answer.replaceChildren(); this.shown = null; this.controls.inert = true; // they are of the scenario before
    return this.asking(async () => {
      const told = await this.engine.ask("tell", { name }), data = await this.unpacked(told.recording);
      if (this.player !== player) return;
      this.list(told);
      if (JSON.stringify(data.steps) !== JSON.stringify(player.recording.steps)) this.play(data, 0);
      else this.later();
    });
  }

  /** Another player, or none, is to be seen. */
  leave() { this.duel?.close(); this.duel = null; }

  unpacked(base64) { return unpack(Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))); }

  toggle() {
    this.open = !this.open;
    this.button.setAttribute("aria-expanded", String(this.open));
    this.player.root.classList.toggle("mq-trying", this.open);
    if (this.open) { this.player.pause(); this.root.scrollIntoView({ block: "nearest" }); this.later(); }
  }

  key(event) {
    if (this.duel && event.key === "Escape") { event.preventDefault(); event.stopImmediatePropagation(); this.back(); return; }
    if (event.ctrlKey || event.altKey || event.metaKey || !this.player?.root.isConnected || this.player.help.open) return;
    const writes = event.target.closest?.("input:not([type=range]), textarea, select"), leaves = event.key === "Escape" && this.open;
    if (!leaves && (writes || event.key.toLowerCase() !== "i")) { if (writes && this.root.contains(writes)) event.stopPropagation(); return; }
    event.preventDefault(); event.stopImmediatePropagation();
    this.toggle();
  }

  /** Do something that asks the engine; what it refuses, and what goes wrong, is a card. */
  async asking(act) {
    this.root.setAttribute("aria-busy", "true");
    try { await act(); } catch (error) {
      this.answer.innerHTML = error.card ?? "";
      this.root.scrollTop = 0;
      if (!error.card) this.answer.append(h("div", { class: "mq-failed", role: "alert" }, h("strong", {}, "The simulator failed"), h("p", {}, error.message)));
    }
    this.root.removeAttribute("aria-busy");
  }

  /** Bring what can be done up to date, once the player stands still for a moment. */
  later() {
    clearTimeout(this.waits);
    if (this.open && this.shown !== null) this.waits = setTimeout(() => this.asking(() => this.refresh()), 120);
  }

  async refresh() {
    const { player } = this, mine = ++this.turn, message = player.recording.following || player.value("message");
    const found = await this.engine.ask("offer", { step: player.position, object: player.selected, body: this.text.value, message });
    if (mine !== this.turn || player !== this.player) return;
    this.moment.textContent = `It is ${found.clock}. A change comes after all events of this moment, and makes another future.`;
    this.button.title = `${this.moment.textContent} (I)`;
    this.touch(found);
    this.message.replaceChildren(...(message ? [`Message ${message}:`, ...this.presses(found.message)] : []));
    if ([...this.qmgr.options].map((each) => each.value).join() !== found.qmgrs.join()) this.qmgr.replaceChildren(...found.qmgrs.map((name) => h("option", {}, name)));
    const kinds = new Map();
    for (const each of found.switches) group(kinds, each.kind, () => []).push(each);
    this.faults.replaceChildren(...[...kinds].flatMap(([kind, switches]) => [h("h4", {}, kind), ...switches.map((each) => h("div", { class: "mq-presses mq-switch" }, h("span", {}, each.name),
      h("span", { class: each.broken ? "mq-state mq-broken" : "mq-state" }, `${each.broken ? "✗" : "✓"} ${each.state}`), ...this.presses(each.calls)))]));
  }

  /** The object that is selected, with its attributes and its calls. */
  touch({ object, calls }) {
    this.hint.hidden = Boolean(object);
    this.named.textContent = object?.name ?? "";
    this.text.hidden = this.steady.hidden = !object?.queue;
    this.calls.replaceChildren(...this.presses(calls));
    this.about.hidden = !object?.about;
    this.attributes.innerHTML = object?.about ?? "";
  }

  presses(calls) { return calls.map(([label, call]) => h("button", { type: "button", title: call, onclick: () => this.change("do", { call }) }, label)); }

  run() { if (this.prompt.value.trim()) this.change("mqsc", { qmgr: this.qmgr.value, text: this.prompt.value }); }

  /** Change something at the step shown. A change makes a future, which is shown from there on; a question only an answer. */
  change(ask, values) {
    return this.asking(async () => {
      const { position } = this.player, found = await this.engine.ask(ask, { step: position, ...values });
      this.answer.innerHTML = found.html;
      this.answer.prepend(h("code", {}, found.call));
      if (found.recording) await this.future(found);
      this.root.scrollTop = 0;
      this.root.focus({ preventScroll: true });
    });
  }

  /** Show a future's recording at its step. */
  async future(found) {
    const data = await this.unpacked(found.recording);
    this.list(found);
    this.play(data, found.step);
  }

  list({ shown, futures }) {
    this.shown = shown; this.controls.inert = false;
    this.futures.replaceChildren(...futures.map((words, number) => h("option", { value: number }, number ? `${number}: ${words}` : words)));
    this.futures.value = shown; this.futures.title = futures[shown];
    this.compare.hidden = !shown;
  }

  show(number) { return this.asking(async () => this.future(await this.engine.ask("show", { number }))); }

  advance(seconds) {
    return this.asking(async () => {
      const found = await this.engine.ask("advance", { step: this.player.position, seconds });
      this.answer.replaceChildren(h("code", {}, found.call));
      if (found.recording) await this.future(found);
      this.player.until = found.until;
      this.player.running(true);
      this.player.tick();
    });
  }

  /** The future beside the story, in a race that asks for a prediction first. */
  race() {
    return this.asking(async () => {
      const { race } = await this.engine.ask("compare"), values = await this.unpacked(race), { player, data: own } = this, { el, position } = player;
      player.close();
      this.duel = new Duel(el, values, { page: true });
      this.back = () => this.play(own, position);
      this.duel.root.querySelector(".mq-bar").append(h("button", { type: "button", onclick: this.back }, "Close the comparison"));
    });
  }

  save() {
    return this.asking(async () => handOver(new Blob([await this.engine.ask("log")], { type: "application/jsonl" }), `${this.name}-${this.shown}.jsonl`, this.root));
  }
}

/** The engine and its controls; `play(data, step)` plays a future. */
function begun(play) {
  const line = document.getElementById("engine-line"), bar = h("progress", { max: 1, "aria-label": "Loading" });
  const told = (words, share) => {
    whatIf.tell(words, share);
    bar.value = share ?? 0;
    line.replaceChildren(`${words}${share < 1 ? " " : ""}`, ...(share < 1 ? [bar] : []));
  };
  const whatIf = new WhatIf(play);
  whatIf.engine = new Engine(told);
  return whatIf;
}
