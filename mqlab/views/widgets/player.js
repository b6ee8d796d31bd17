// The player of a lab: the same script in the notebook widget and in the saved file. Everything it says was worded in
// Python (mqlab/views/player/player_steps.py); the scripts before this one (mqlab/views/drawing) draw what is true at a
// step, and here steps are shown, dots moved, and controls answered.

const SVG = "http://www.w3.org/2000/svg";
const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];
const QUIET = new Set(["open", "close", "inquire", "wait", "define", "program", "prepare", "commit", "alter"]);
const ALARMS = new Set(["refused", "discarded", "lost", "expire", "dead letter", "fault", "stop", "backout", "queue full"]);
const NOUNS = { begin: "", shot: "", fault: "link" }; // a link that was laid is no fault
const ARRIVES = new Set(["put", "report"]);
const FLOW = 10; // seconds of simulated time over which traffic is counted
const WINDOW = 40; // rows of the event table before and after the present one
const ICONS = {
  first: "M5 4v12M16 4L8 10l8 6z",
  back: "M13 4L6 10l7 6z",
  play: "M6 3.5L16 10L6 16.5z",
  pause: "M6.5 4v12M13.5 4v12",
  step: "M7 4l7 6l-7 6z",
  next: "M4 4l6 6l-6 6zM15 10m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0",
  last: "M15 4v12M4 4l8 6l-8 6z",
};
const KEYS = [
  ["Space", "play or pause"], ["Right, Left", "one event on or back"],
  ["Page Down, Page Up", "next or previous stop of the story; so do Shift+Right and Shift+Left"],
  ["Home, End", "the beginning, the last event"], ["+ and −", "faster, slower"], ["W", "why: what led to this event"], ["M", "follow the message of this event (Escape ends it)"],
  ["V", "topology as a picture or as a table"], ["Z, X, 0", "larger, smaller, the whole picture; the wheel and a drag do it too"], ["Control+arrows", "move the picture"], ["Tab, Enter", "from object to object; open one, or see its events"], ["/", "find an object"], ["R", "only the route of the object that is selected, or everything"], ["P", "present: large, for a room (Escape ends it)"], ["Down", "presenting: all words of the stop, or two lines of them; so does a click"],
  ["F", "full screen"], ["S", "the speaker's window"], ["T", "light, dark, or as the system has it"], ["?", "these keys"],
];

/** An element with attributes (`on…` are listeners) and children. */
function h(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value != null) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/** The SVG element of this name. */
function s(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** How many of the tuples of `width` numbers in a flat track begin at or before step `n`. */
function reached(track, n, width) {
  let low = 0, high = track.length / width;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (track[middle * width] <= n) low = middle + 1; else high = middle;
  }
  return low;
}

/** A number with a comma for thousands from 10,000 on, as Python writes it. */
function thousands(number) { return number < 10_000 ? `${number}` : number.toLocaleString("en"); }

/** The text that was compressed with gzip. */
function unzipped(bytes) { return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text(); }

/** The values that gzip'ed JSON holds. */
export async function unpack(bytes) { return JSON.parse(await unzipped(bytes)); }

/** What Python sent: columns of steps, a track for each part, and what never changes. */
export class Recording {
  constructor(data) {
    Object.assign(this, data);
    this.startUs = Date.parse(data.start) * 1000;
    this.base = this.length;
    this.following = 0;
    this.left = new Map(); // traces by step
    this.leave(data.traces);
    this.tell(data.story);
  }

  /** The stops of the story, by their steps. */
  tell(story) { this.story = new Map(story.map(([step, said, about, members, focus, title, since]) => [step, { said, about, members, focus, title, since }])); }

  /** Keep traces, each [step, id, kind, reason, queue]. */
  leave(traces) { for (const [step, ...trace] of traces) group(this.left, step, () => []).push(trace); }

  /** The traces that the events of step `n` leave in its picture: at a stop, those of all its steps. */
  leaves(n) { return (!this.following && this.story.get(n)?.members || [n]).flatMap((step) => this.left.get(step) ?? []); }

  get length() { return this.steps.time_us.length; }

  /** Replace everything from `more.since` on. */
  extend(more) {
    const since = more.since;
    this.moves = null;
    for (const [name, column] of Object.entries(more.steps)) this.steps[name].splice(since, Infinity, ...column);
    for (const [id, news] of Object.entries(more.facts)) {
      const kept = this.facts[id] ?? (this.facts[id] = []);
      kept.splice(reached(kept, since - 1, 2) * 2, Infinity, ...news);
    }
    Object.assign(this.rules, more.rules);
    for (const step of this.left.keys()) if (step >= since) this.left.delete(step);
    this.leave(more.traces);
    this.seen = null;
    this.tell(more.story);
  }

  /** What is true of an object at step `n`: null if it is not there yet, undefined if nothing is told of it. */
  fact(id, n) {
    if (id.startsWith("trace:")) {
      const asked = `${n} ${this.following}`;
      if (this.seen?.asked !== asked) {
        this.seen = { asked, by: new Map() };
        for (const trace of this.leaves(n)) group(this.seen.by, trace[0], () => []).push(trace);
      }
      return this.seen.by.get(id.slice(6));
    }
    const track = this.facts[id], place = track ? reached(track, n, 2) : 0;
    return place ? track[place * 2 - 1] : undefined;
  }

  /** Messages a second that came to a queue and left it, over the ten seconds up to step `n`; undefined if none did. */
  flow(id, n) {
    this.moves ??= this.movesOf();
    const now = this.steps.time_us[n], since = now - FLOW * 1e6, moves = this.moves.get(id);
    const rate = (times) => { const many = reached(times, now, 1) - reached(times, since, 1); return many / FLOW; };
    const found = moves && [rate(moves.came), rate(moves.left)];
    return found && found[0] + found[1] > 0 ? found : undefined;
  }

  /** When messages came to each queue, and left it. */
  movesOf() {
    const { kind, qmgr, object, time_us, sort, message } = this.steps, moves = new Map();
    kind.forEach((each, n) => {
      const list = ARRIVES.has(each) ? "came" : each === "get" || each === "discard" ? "left" : "";
      if (!list || message[n] === null || sort[n] === "refused") return;
      const id = `${qmgr[n]}/${object[n]}`;
      if (!moves.has(id)) moves.set(id, { came: [], left: [] });
      moves.get(id)[list].push(time_us[n]);
    });
    return moves;
  }

  /** The simulated time of day, `digits` decimals of a second. */
  clock(us, digits = 3) {
    const whole = this.startUs + us, second = Math.floor(whole / 1e6);
    const part = String(whole - second * 1e6).padStart(6, "0").slice(0, digits);
    return new Date(second * 1000).toISOString().slice(11, 19) + (digits ? "." + part : "");
  }

  /** The shot that is told at step `n`, or undefined. */
  shot(n) { return [...this.story.values()].findLast(({ title, since }) => title && since <= n); }

  /** Whether step `n` is a stop: of the story, or of the message that is followed. */
  stops(n) { return this.following ? this.steps.message[n] === this.following : this.story.has(n); }

  /** What step `n` says: a stop of the story the words for all its events. */
  told(n) { return this.following ? this.steps.said[n] : (this.story.get(n)?.said ?? this.steps.said[n]); }

  /** The descriptor of a step's message, [field, value] each; empty if the step has no message. */
  descriptor(n) {
    const { steps } = this, message = steps.message[n];
    let at = n;
    while (at >= 0 && (steps.message[at] !== message || !steps.mqmd[at].length)) at--;
    if (message === null || at < 0) return [];
    const [priority, left, put, unit, to] = steps.mqmd[at], ended = steps.kind[n] === "expire";
    return [["Queue", `${steps.object[n]} of ${steps.qmgr[n]}`], ["Destination", to ?? "no transmission header"], ["Priority", priority],
      ["Persistence", steps.persistent[n] ? "persistent" : "nonpersistent"], ["Put at", put === null ? "unknown" : this.clock(put)],
      ["Expiry left", ended ? "0 s: expired" : left === null ? "unlimited" : `${left / 10} s`], ["Unit of work", unit ?? "none"]].map(([field, value]) => [field, String(value)]);
  }

  /** The steps that led to step `n`, at most so many, the nearest first. */
  causes(n, most) {
    const at = this.steps.cause[n];
    return at < 0 || !most ? [] : [at, ...this.causes(at, most - 1)];
  }

  /** The nearest step from `n` in a direction (1 or -1) for which `holds`, else the end there. */
  seek(n, direction, holds) {
    for (let at = n + direction; at >= 0 && at < this.length; at += direction) if (holds(at)) return at;
    return direction > 0 ? this.length - 1 : 0;
  }

  /** The last step not after a moment. */
  at(us) { return Math.max(0, reached(this.steps.time_us, us, 1) - 1); }
}

/** A player in `el`. `options`: page, place (what its address begins with), title, leftOut, lifecycle, present, calls (a
 *  name, for "name.step()"), changed, drew, bare (the picture alone, which answers no key). */
export class Player {
  constructor(el, recording, options = {}) {
    this.el = el; this.recording = recording; this.options = options;
    this.position = -1; this.playing = false; this.speed = 1; this.until = null; this.hurry = 1;
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.filter = ""; this.flight = null; this.heard = 0; this.selected = "";
    this.build();
    this.list();
    this.go(0, { told: false });
    this.keys = (event) => this.key(event);
    if (!options.bare) (options.page ? document : this.root).addEventListener("keydown", this.keys);
  }

  close() {
    this.pause();
    clearTimeout(this.saying);
    clearTimeout(this.addressing);
    (this.options.page ? document : this.root).removeEventListener("keydown", this.keys);
    this.land();
    this.canvas.close();
    this.speaker?.close();
    this.root.remove();
  }

  // -------------------------------------------------------------------------------------------------- what is there
  build() {
    const { page, calls, bare } = this.options;
    const [one, two] = page ? ["h1", "h2"] : ["h3", "h4"];
    const tip = (words, call) => ({ title: calls ? `${words} · ${calls}.${call}` : words, "data-call": calls && `${calls}.${call}` });
    const button = (name, label, key, call, act, icon) => {
      const made = h("button", { type: "button", class: `mq-${name}`, ...tip(`${label} (${key})`, call), "aria-label": label, onclick: act });
      if (icon) made.append(glyph(icon)); else made.append(label);
      return made;
    };
    this.playButton = button("play", "Play", "Space", "play()", () => this.toggle(), "play");
    this.range = h("input", { type: "range", class: "mq-range", min: 0, step: 1, "aria-label": "Event",
      oninput: () => { this.pause(); this.go(+this.range.value); this.call(`seek_row(${this.value("seq")})`); } });
    this.speeds = h("select", { "aria-label": "Speed", ...tip("Speed (+ and −)", "speed = 2"),
      onchange: () => this.setSpeed(+this.speeds.value) },
      ...SPEEDS.map((speed) => h("option", { value: speed }, `${speed}×`)));
    this.when = h("output", { class: "mq-when" });
    this.needle = s("line", { class: "mq-needle", y1: 0, y2: 20 });
    this.strip = s("svg", { class: "mq-strip", viewBox: "0 0 1000 20", preserveAspectRatio: "none", "aria-hidden": "true" });
    this.strip.addEventListener("click", (event) => this.stripped(event));
    this.controls = h("section", { class: "mq-controls", "aria-label": "Controls" },
      this.strip, this.range,
      h("div", { class: "mq-buttons" },
        button("first", "Beginning", "Home", "first()", () => this.act("first"), "first"),
        button("back", "Step back", "Left", "back()", () => this.act("back"), "back"),
        this.playButton,
        button("step", "Step to the next event", "Right", "step()", () => this.act("step"), "step"),
        button("next", "Next stop of the story", "Shift+Right", "next_interesting()", () => this.act("next_interesting"), "next"),
        button("last", "End", "End", "last()", () => this.act("last"), "last"),
        this.when, h("label", { class: "mq-speed" }, h("span", {}, "Speed"), this.speeds)));
    this.stage = h("div", { class: "mq-picture" });
    this.tableView = h("div", { class: "mq-depths", tabindex: 0, role: "region", "aria-label": "Queues as a table", hidden: true });
    this.lives = h("div", { class: "mq-lives", tabindex: 0, role: "region", "aria-label": "Lifecycles of messages", hidden: true });
    this.gauges = h("div", { class: "mq-gauges" });
    this.stage.setAttribute("role", "group");
    this.stage.setAttribute("aria-label", "Topology");
    this.views = { topology: this.stage, table: this.tableView, lives: this.lives };
    this.tabs = Object.fromEntries([["topology", "Topology"], ["table", "Table"], ["lives", "Lives"]].map(([name, words]) =>
      [name, h("button", { type: "button", "aria-pressed": String(name === "topology"), onclick: () => this.view(name) }, words)]));
    this.finder = h("input", { type: "search", placeholder: "Find an object", "aria-label": "Find an object in the picture", oninput: () => this.find(),
      onkeydown: (event) => { if (event.key === "Escape") { this.finder.value = ""; this.find(); this.stage.focus(); event.stopPropagation(); } } });
    this.hits = h("div", { class: "mq-hits", hidden: true });
    this.signs = h("details", { class: "mq-signs", ontoggle: () => this.explainSigns() }, h("summary", {}, "Signs"), h("div", {}));
    this.routeButton = h("button", { type: "button", hidden: true, "aria-pressed": "false", title: "Only the way of messages through the object that is selected (R)", onclick: () => this.route() }, "Only its route");
    this.finding = h("div", { class: "mq-finding" }, this.routeButton, this.finder, this.hits, this.signs);
    this.object = h("p", { class: "mq-object", hidden: true });
    this.shotTitle = h(two, { class: "mq-shot" });
    const more = () => this.more();
    this.shotText = h("p", { class: "mq-text", onclick: more });
    this.place = h("p", { class: "mq-place" });
    this.said = h("p", { class: "mq-said", onclick: more });
    this.rule = h("p", { class: "mq-rule" });
    this.whyList = h("ol", { class: "mq-causes" });
    this.why = h("details", { class: "mq-why", ontoggle: () => this.explain() },
      h("summary", { title: "What led to this event (W)" }, "Why?"), this.whyList);
    this.opener = h("button", { type: "button", class: "mq-opener", title: "Play from the beginning (Space)", onclick: () => { this.play(); this.call("play()"); this.playButton.focus({ preventScroll: true }); } }, glyph("play"), "Play");
    this.followButton = h("button", { type: "button", class: "mq-follow", ...tip("The events of this message alone (M)", "follow(message)"), onclick: () => this.followHere() });
    this.descriptor = h("dl", { class: "mq-descriptor", "aria-label": "Message descriptor" });
    this.unfolded = new Set();
    this.search = h("input", { type: "search", placeholder: "Filter by text or queue", "aria-label": "Filter events by text or queue",
      oninput: () => { this.filter = this.search.value; this.list(); this.rows(true); } });
    this.only = h("input", { type: "checkbox", onchange: () => { this.list(); this.rows(true); } });
    this.counted = h("span", { class: "mq-counted" });
    this.body = h("tbody", { onclick: (event) => this.picked(event), onkeydown: (event) => this.browse(event) });
    this.scroller = h("div", { class: "mq-rows", tabindex: 0, role: "region", "aria-label": "Event table" },
      h("table", {}, h("caption", { class: "mq-heard" }, "Events in order of time"), h("colgroup", {}, h("col", { class: "mq-c1" }), h("col"), h("col", { class: "mq-c3" })),
        h("thead", {}, h("tr", {}, ...["Time", "What happened", "Rule"].map((words) => h("th", { scope: "col" }, words)))), this.body));
    this.heardBox = h("div", { class: "mq-heard", role: "status", "aria-live": "polite" });
    this.called = h("code", { class: "mq-call" });
    this.help = h("dialog", { class: "mq-help", "aria-label": "Keys" }, h(two, {}, "Keys"),
      h("dl", {}, ...KEYS.flatMap(([key, words]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, words)])),
      h("button", { type: "button", onclick: () => this.help.close() }, "Close"));
    const tool = (words, tip, act) => h("button", { type: "button", title: tip, onclick: act }, words);
    this.themeButton = tool("Theme: auto", "Light, dark, or as the system has it (T)", () => this.theme());
    this.fitButton = tool("Fit", "The whole picture (0); the wheel zooms, a drag moves", () => this.canvas.fit());
    this.fullButton = tool("Full screen", "Full screen (F)", () => this.full());
    this.fullButton.classList.add("mq-full");
    this.heading = h(one, { class: "mq-title" });
    this.nextHint = h("button", { type: "button", class: "mq-onward", onclick: () => this.onward(1) }, "Next");
    this.root = h(page ? "main" : "section", { class: bare ? "mq-frame mq-bare" : "mq-frame", "aria-label": page ? null : bare ? "Picture" : "Player",
      tabindex: page || bare ? null : 0, "data-lm-suppress-shortcuts": page || bare ? null : "true" },
      h("div", { class: "mq-bar" }, this.heading, this.finding, h("div", { class: "mq-tabs", role: "group", "aria-label": "View" }, ...Object.values(this.tabs)),
        h("div", { class: "mq-tools", role: "group", "aria-label": "Settings" },
          this.fitButton, ...(page ? [this.themeButton] : []), tool("Present", "Large, for a room (P)", () => this.present(true)),
          this.fullButton, saveMenu(this), tool("Speaker", "A second window: what to say, what comes next, and a clock (S)", () => speak(this)), tool("Keys", "All keys (?)", () => this.help.showModal()))),
      h("section", { class: "mq-stage", "aria-label": "Picture" }, this.stage, this.tableView, this.lives, this.gauges),
      h("section", { class: "mq-told", "aria-label": "Narration" }, this.opener, this.shotTitle, this.shotText, this.place, this.said, this.rule, this.followButton, this.descriptor, this.why, this.object, this.nextHint),
      h("section", { class: "mq-events", "aria-label": "Events" },
        h("div", { class: "mq-find" }, this.search, h("label", {}, this.only, "stops only"), this.counted), this.scroller),
      this.controls,
      h("p", { class: "mq-foot" }, this.called, this.options.leftOut ? h("span", {}, this.options.leftOut) : ""),
      this.heardBox, this.help);
    this.el.append(this.root);
    this.setTitle(this.options.title ?? "");
    this.setSpeed(1);
    this.setLifecycle(this.options.lifecycle ?? "");
    this.lay();
  }

  /** Lay out what the recording brings: the picture, the table of queues, the marks over time. */
  lay() {
    const { recording } = this, first = (id) => recording.first[id];
    this.canvas?.close();
    this.canvas = new Canvas(this.stage, { plan: recording.plan, scene: recording.scene, tall: recording.tall, view: recording.view, facts: first, elk: this.options.elk, page: this.options.page,
      pressed: (id) => this.select(id), message: (number) => this.follow(number), line: (key) => this.select(this.canvas.linkOf(key)) });
    this.depths = new Map(recording.plan.objects.filter(({ kind }) => kind === "queue").map((queue) => {
      const { id, qmgr, name, type } = queue, own = holds(queue), cells = [0, 0, 0, 0, 0, ""].map(() => h("td", {}, own ? "0" : "–"));
      const row = h("tr", { "data-queue": id, "data-holds": own }, h("th", { scope: "row" }, h("button", { type: "button", onclick: () => this.select(id) }, name)),
        h("td", {}, qmgr), h("td", {}, type), ...cells);
      return [id, row];
    }));
    const heads = ["Queue", "Queue manager", "Kind", "Depth", "of it expired", "uncommitted puts", "MAXDEPTH", "held by uncommitted gets", "at this event"];
    this.tableView.replaceChildren(h("table", {}, h("caption", {}, "Queues at the event shown"),
      h("thead", {}, h("tr", {}, ...heads.map((words) => h("th", { scope: "col" }, words)))), h("tbody", {}, ...this.depths.values())));
    this.marks();
  }

  /** Marks over time: shots, and what is interesting. */
  marks() {
    const { recording } = this, end = Math.max(1, recording.steps.time_us.at(-1)), begin = recording.steps.time_us[0];
    this.x = (us) => (1000 * (us - begin)) / Math.max(1, end - begin);
    const d = { mark: new Map(), alarm: new Map(), flag: new Map() }, most = { mark: 1, alarm: 1, flag: 1 };
    recording.steps.sort.forEach((sort, n) => {
      const kind = recording.steps.kind[n] === "shot" ? "flag" : ALARMS.has(sort) ? "alarm" : "mark";
      if (!sort && kind !== "flag") return;
      const x = 4 * Math.round(this.x(recording.steps.time_us[n]) / 4), many = (d[kind].get(x) ?? 0) + 1;
      d[kind].set(x, many);
      most[kind] = Math.max(most[kind], many);
    });
    // a mark is the higher the more there is at its place: where all is full, that still tells when
    const line = (kind, foot, low, high) => s("path", { class: `mq-${kind}`, d: [...d[kind]].map(([x, many]) =>
      `M${x} ${foot}v${-(low + (high - low) * (most[kind] > 1 ? Math.log(many) / Math.log(most[kind]) : 0)).toFixed(1)}`).join("") || "M0 0" });
    this.strip.replaceChildren(s("path", { class: "mq-axis", d: "M0 17H1000" }), line("mark", 17, 4, 8), line("alarm", 17, 8, 14), line("flag", 20, 19, 19), this.needle);
    this.range.max = recording.length - 1;
    this.gauge();
  }

  /** The depth of each queue that was asked for, over the time of the marks, all on one scale from 0. */
  gauge() {
    const { facts, steps, depth = [] } = this.recording, tracks = depth.map((id) => Array.from({ length: (facts[id] ?? []).length / 2 }, (_, i) =>
      [this.x(steps.time_us[facts[id][2 * i]]).toFixed(1), queueNow(facts[id][2 * i + 1]).depth]));
    const most = Math.max(1, ...tracks.flat().map(([, many]) => many)), y = (many) => (40 - (38 * many) / most).toFixed(1);
    this.gauges.replaceChildren(...tracks.map((track, i) => h("figure", { "data-depth": depth[i] },
      h("figcaption", {}, depth[i].replace("/", " · "), h("output", {})), h("span", { class: "mq-most" }, thousands(most)), h("span", {}, "0"),
      s("svg", { viewBox: "0 0 1000 42", preserveAspectRatio: "none", "aria-hidden": "true" }, s("path", { class: "mq-axis", d: "M0 0V40H1000" }),
        s("path", { class: "mq-depth", d: `M0 40${track.map(([x, many]) => `H${x}V${y(many)}`).join("")}H1000` }), s("line", { class: "mq-needle", y1: 0, y2: 42 })))));
    if (this.position >= 0) this.gaugeNow();
  }

  /** The depths at the step shown. */
  gaugeNow() {
    for (const figure of this.gauges.children) {
      const line = figure.querySelector("line"), x = this.x(this.value("time_us"));
      line.setAttribute("x1", x); line.setAttribute("x2", x);
      figure.querySelector("output").textContent = thousands(queueNow(this.recording.fact(figure.dataset.depth, this.position)).depth);
    }
  }

  setTitle(title) { this.heading.textContent = title || "What happened"; }

  /** A chart of lives with a line for now; without one its button goes too. */
  setLifecycle(text) {
    this.lives.innerHTML = text;
    this.tabs.lives.hidden = !text;
    const chart = this.lives.querySelector("[data-from-us]");
    this.chart = chart && chart.dataset.x1 ? { ...chart.dataset, line: s("line", { class: "mq-chartnow" }) } : null;
    if (this.chart) {
      this.chart.line.setAttribute("y1", this.chart.y0);
      this.chart.line.setAttribute("y2", this.chart.y1);
      chart.append(this.chart.line);
    } else if (!text && !this.lives.hidden) this.view("topology");
    if (this.position >= 0) this.chartNow();
  }

  chartNow() {
    if (!this.chart) return;
    const { fromUs, toUs, x0, x1, line } = this.chart;
    const share = (this.value("time_us") - fromUs) / Math.max(1, toUs - fromUs);
    const x = +x0 + Math.min(1, Math.max(0, share)) * (x1 - x0);
    line.setAttribute("x1", x); line.setAttribute("x2", x);
  }

  // -------------------------------------------------------------------------------------------------- being at a step
  value(name, n = this.position) { return this.recording.steps[name][n]; }

  /** Go to step `n`. Where a message travels to it, the picture, the words, and the table change when it arrives. */
  go(n, { told = true, fly = false } = {}) {
    n = Math.min(Math.max(0, Math.round(n) || 0), this.recording.length - 1);
    if (n === this.position) return;
    this.land();
    this.position = n;
    this.range.value = n;
    const time = this.recording.clock(this.value("time_us"));
    this.range.setAttribute("aria-valuetext", `${time}, event ${n} of ${this.recording.length - 1}`);
    this.when.textContent = `${time} · ${n} of ${this.recording.length - 1}`;
    const x = this.x(this.value("time_us"));
    this.needle.setAttribute("x1", x); this.needle.setAttribute("x2", x);
    this.opener.hidden = n > 0 || this.recording.length < 2;
    this.chartNow();
    this.way(fly, () => { this.draw(); this.narrate(); this.rows(); });
    if (told) this.options.changed?.("position", n);
  }

  draw() {
    const { recording, position: n } = this, owner = this.value("qmgr"), name = this.value("object");
    const flows = this.options.flows, fact = (id) => (id.startsWith("flow:") ? (flows ? recording.flow(id.slice(5), n) : undefined) : recording.fact(id, n));
    this.canvas.show(fact, this.value("time_us"));
    this.canvas.svg.setAttribute("aria-label", `Topology: ${recording.clock(this.value("time_us"), 0)}, ${recording.fact("summary", n) ?? ""}`);
    const about = this.subject(n).map((id) => this.canvas.seenAt(id));
    this.canvas.mark("mq-now", about);
    this.tellObject();
    if (!this.options.bare) this.attend(this.subject(n)[0]); // two pictures side by side show the same part
    if (!this.tableView.hidden) this.fill();
    this.gaugeNow();
    this.drawn = n;
    this.options.drew?.();
  }

  /** The objects that step `n` is about: what it names, else the program of it, else the queue manager. */
  subject(n) {
    const { steps } = this.recording, owner = steps.qmgr[n], name = steps.object[n], program = steps.program[n];
    const known = (...ids) => ids.filter((id) => this.canvas.model.nodes.has(id)), named = name ? known(`${owner}/${name}`, `${owner}/channel:${name}`) : [];
    const by = named.length || !program ? named : known(`${owner}/app:${program}`, `${owner}/channel:${program}`);
    return by.length || name ? by : known(owner);
  }

  /** Where the camera goes: along with the message that is followed; to the objects of a shot; in a large picture to the
   *  object of a stop, and to the whole for a shot of none. */
  attend(id) {
    const { canvas, recording, position: n } = this, told = recording.stops(n), large = canvas.framed(canvas.whole).k < canvas.readable;
    const shot = this.value("kind") === "shot", stop = recording.following ? null : recording.story.get(n), about = stop?.about || id;
    if (recording.following && told && id) this.riding = (this.riding ?? Promise.resolve()).then(() => canvas.reveal(id));
    else if (stop?.focus.length) canvas.frame(stop.focus);
    else if (about && (canvas.moved || (large && told))) canvas.bring(about, large && told && canvas.camera.k < FITS);
    else if (shot && (large || canvas.near)) canvas.fit();
  }

  /** The table of queues, at the step shown. */
  fill() {
    for (const [id, row] of this.depths) {
      const { depth, expired, uncommitted, most, held } = queueNow(this.recording.fact(id, this.position)), left = this.recording.leaves(this.position).filter(([, , , queue]) => queue === id);
      const values = [depth, expired, uncommitted, most, held, toldTraces(left).map(([, words]) => words).join(", ")];
      if ("holds" in row.dataset) values.forEach((value, i) => { const cell = row.cells[3 + i]; if (cell.textContent !== String(value)) cell.textContent = value; });
      row.classList.toggle("mq-now", id === `${this.value("qmgr")}/${this.value("object")}`);
    }
  }

  /** End a flight: its message is there, and what it changes is shown. */
  land() {
    const { flight } = this;
    this.flight = null;
    if (!flight) return;
    cancelAnimationFrame(flight.frame);
    for (const each of [flight.lit, ...flight.dots]) each.remove();
  }

  /** End a flight before its time and show what it brings, with its words; whether there was one. */
  finish() {
    const { flight } = this;
    this.land();
    flight?.arrived();
    return Boolean(flight);
  }

  /** What flies at step `n`: lists of [path, line]; at a stop of a publication each copy, from its program on. */
  flights(n) {
    const { recording } = this, { ways } = recording.steps, [first, ...copies] = (!recording.following && recording.story.get(n)?.members) || [n];
    const keys = copies.length && this.value("kind", first) === "publish" ? copies.map((at) => [...ways[first], ...ways[at]]) : [ways[n]];
    const drawn = keys.map((all) => all.map((key) => this.canvas.wayOf(...key.split(">"))).filter(Boolean)).filter((all) => all.length);
    return [...new Map(drawn.map((all) => [all.map(([d]) => d).join(), all])).values()];
  }

  /** Light the lines that messages travel at this step, and move their dots along them, where things may move; `arrived`
   *  is called when they are there. */
  way(fly, arrived) {
    const flights = this.flights(this.position);
    this.canvas.mark("mq-way", flights.flat().map(([, line]) => line).filter(Boolean));
    if (!fly || !flights.length || this.still.matches) return arrived();
    const number = flights.length > 1 ? "" : String(this.value("message") ?? ""), wide = 9 + 3.4 * number.length, square = this.value("persistent");
    const body = () => (square ? s("rect", { x: -wide, y: -10, width: 2 * wide, height: 20, rx: 3 }) : s("ellipse", { rx: wide, ry: 11 }));
    const dots = flights.map((all) => ({ lines: all.map(([d]) => s("path", { d })), dot: s("g", { class: square ? "mq-dot persistent" : "mq-dot" }, body(), s("text", { y: 4.2, "text-anchor": "middle" }, number)) }));
    const lit = s("g", { class: "mq-lit" }, ...dots.flatMap(({ lines }) => lines)), flight = { frame: 0, lit, arrived, dots: dots.map(({ dot }) => dot) };
    this.canvas.over.append(lit, ...flight.dots);
    for (const each of dots) { each.lengths = each.lines.map((line) => line.getTotalLength()); each.long = total(each.lengths, (length) => length); }
    const lasts = this.flies(Math.max(...dots.map(({ long }) => long)));
    let began = null;
    const move = (now) => {
      began ??= now;
      const share = Math.min(1, (now - began) / lasts), eased = share < 0.5 ? 2 * share * share : 1 - (2 - 2 * share) ** 2 / 2;
      for (const { lines, lengths, dot, long } of dots) {
        let left = eased * long, i = 0;
        while (i < lines.length - 1 && left > lengths[i]) left -= lengths[i++];
        const { x, y } = lines[i].getPointAtLength(left);
        dot.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${Math.max(1, 1 / this.canvas.camera.k).toFixed(2)})`);
      }
      if (share < 1) flight.frame = requestAnimationFrame(move);
      else { this.land(); arrived(); }
    };
    this.flight = flight;
    flight.frame = requestAnimationFrame(move);
    return undefined;
  }

  /** How long a dot flies over so many pixels, in milliseconds. */
  flies(length) { return Math.min(1500, 450 + length * 0.9) / Math.min(8, this.speed * this.hurry); }

  /** The shot, the sentence and the rule of the step; what is heard comes at most every three seconds in play. */
  narrate() {
    const { recording, position: n } = this, shot = recording.shot(n), own = this.value("kind") === "shot";
    const rule = this.value("rule"), title = recording.rules[rule];
    const put = (el, text) => { if (el.textContent !== text) el.textContent = text; el.hidden = !text; };
    put(this.shotTitle, shot?.title ?? "");
    put(this.shotText, shot?.said ?? "");
    const told = recording.told(n);
    put(this.said, own ? "" : sentence(told));
    this.describe();
    put(this.rule, rule ? `${rule}${title ? ` ${title}` : ""}` : "");
    const sort = this.value("sort");
    put(this.place, [recording.clock(this.value("time_us")), this.value("qmgr"), sort || (NOUNS[this.value("kind")] ?? this.value("kind"))].filter(Boolean).join(" · "));
    this.place.classList.toggle("mq-alarmed", ALARMS.has(sort));
    this.why.hidden = this.value("cause") < 0;
    this.explain();
    this.more(false);
    if (this.presenting) this.squeeze();
    this.speaker?.show();
    const speech = own ? `${shot.title}. ${shot.said}` : `${recording.clock(this.value("time_us"), 0)}: ${told}.`;
    clearTimeout(this.saying);
    if (!this.options.bare) this.saying = setTimeout(() => { this.heard = performance.now(); this.heardBox.textContent = speech; },
      this.playing ? Math.max(150, 3000 - (performance.now() - this.heard)) : 150);
    if (!this.playing) this.address();
    if (this.options.page) this.call("");
  }

  /** Before a room two lines of the words are seen: all of them, or two lines again. */
  more(open = !this.root.querySelector(".mq-whole")) {
    for (const each of [this.shotText, this.said]) each.classList.toggle("mq-whole", open);
  }

  /** Before a room all that is shown is in sight: smaller where it would run over the edge. */
  squeeze() {
    const narration = this.said.parentElement;
    narration.classList.remove("mq-dense");
    narration.classList.toggle("mq-dense", narration.scrollHeight > narration.clientHeight);
  }

  /** The button that follows the message of the step; while one is followed, its descriptor, what is new in it marked. */
  describe() {
    const { recording, position: n } = this, { following } = recording, message = following || this.value("message");
    this.followButton.hidden = message === null;
    this.followButton.textContent = following ? `Message ${message}: end following` : `Follow message ${message}`;
    const own = following && this.value("message") === following, before = own ? recording.seek(n, -1, (at) => recording.stops(at)) : n;
    const was = new Map(own && recording.stops(before) ? recording.descriptor(before) : []);
    const fields = own ? recording.descriptor(n) : [];
    this.descriptor.hidden = !fields.length;
    this.descriptor.replaceChildren(...fields.flatMap(([field, value]) => [h("dt", {}, field), h("dd", { class: was.size && was.get(field) !== value ? "mq-new" : null }, value)]));
  }

  /** The chain of causes of the step shown, the nearest first. */
  explain() {
    if (!this.why.open || this.why.hidden) return;
    this.whyList.replaceChildren(...this.recording.causes(this.position, 40).map((at) => h("li", {}, h("button", { type: "button", onclick: () => { this.pause(); this.go(at); } },
      h("span", { class: "mq-at" }, this.recording.clock(this.value("time_us", at))), ` ${sentence(this.value("said", at))}`))));
  }

  /** The one line of Python that does or shows the same. */
  call(done) {
    const { calls, page } = this.options;
    this.called.textContent = calls ? `${calls}.${done}` : !page ? "" : this.value("seq") < 0 ? "lab_picture(lab, 0)" : `lab_picture(lab, seq=${this.value("seq")})`;
  }

  /** Have the address of a page lead to what it shows. */
  address() {
    clearTimeout(this.addressing);
    if (this.options.page) this.addressing = setTimeout(() => {
      const where = `#${this.options.place ?? ""}step=${this.position}${this.presenting ? "&present" : ""}`;
      try { history.replaceState(null, "", where); } catch { location.hash = where; } // some browsers limit how often
    }, 200);
  }

  // -------------------------------------------------------------------------------------------------- the event table
  /** Which steps the filter lets through. */
  list() {
    const { steps, length } = this.recording, words = this.filter.trim().toLowerCase().split(/\s+/).filter(Boolean);
    this.shown = [];
    for (let n = 0; n < length; n++) {
      if (this.only.checked && !this.recording.stops(n) && !this.unfolded.has(n)) continue;
      if (this.recording.following && steps.message[n] !== this.recording.following) continue;
      if (this.selected && !this.about(this.selected, n)) continue;
      if (words.length) {
        const text = `${steps.said[n]} ${steps.kind[n]} ${steps.qmgr[n]} ${steps.object[n]} ${steps.rule[n]} ${steps.sort[n]}`.toLowerCase();
        if (!words.every((word) => text.includes(word))) continue;
      }
      this.shown.push(n);
    }
    this.counted.textContent = `${thousands(this.shown.length)} of ${thousands(length)}`;
    this.window = null;
  }

  /** Mark the present row; rows are made again only where it comes near the edge of those that are there. */
  rows(fresh = false) {
    const { shown } = this, at = Math.max(0, reached(shown, this.position, 1) - 1);
    const near = this.window && at >= this.window.from + (this.window.from ? 15 : 0) && at < this.window.to - (this.window.to < shown.length ? 15 : 0);
    if (fresh || !near) this.window = this.make(Math.max(0, at - WINDOW), Math.min(shown.length, at + WINDOW));
    if (this.current) { this.current.removeAttribute("aria-current"); this.current.querySelector("button").tabIndex = -1; }
    const row = this.window.rows.get(shown[at]);
    this.current = row ?? null;
    if (!row) return;
    if (shown[at] === this.position) row.setAttribute("aria-current", "step");
    row.querySelector("button").tabIndex = 0;
    const box = this.scroller, top = row.offsetTop, room = 34;
    if (top < box.scrollTop + room) box.scrollTop = Math.max(0, top - room - box.clientHeight / 3);
    else if (top + row.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 2;
  }

  make(from, to) {
    const rows = new Map();
    const { steps } = this.recording, all = [];
    const more = (words, anchor) => h("tr", { class: "mq-more" }, h("td", { colspan: 3 }, h("button", { type: "button", "data-anchor": anchor }, words)));
    if (from > 0) all.push(more(`${thousands(from)} earlier`, Math.max(0, from - WINDOW)));
    for (let i = from; i < to; i++) {
      const n = this.shown[i], shot = steps.kind[n] === "shot", sort = steps.sort[n];
      const stop = this.only.checked && !this.recording.following ? this.recording.story.get(n) : null, many = stop?.members.length ?? 1;
      const fold = many > 1 ? h("button", { type: "button", class: "mq-fold", "data-fold": n, "aria-expanded": String(this.unfolded.has(stop.members[0])) }, `${many} events`) : "";
      const said = shot ? h("td", {}, h("strong", {}, steps.said[n]), fold) : h("td", {}, sort ? h("span", { class: ALARMS.has(sort) ? "mq-sort alarm" : "mq-sort" }, sort) : "", sentence(stop?.said ?? steps.said[n]), fold);
      const row = h("tr", { "data-step": n, class: shot ? "shot" : sort ? "" : "plain" },
        h("td", {}, h("button", { type: "button", tabindex: -1, class: "mq-at" }, this.recording.clock(steps.time_us[n]))), said, h("td", { title: this.recording.rules[steps.rule[n]] }, steps.rule[n]));
      rows.set(n, row); all.push(row);
    }
    if (to < this.shown.length) all.push(more(`${thousands(this.shown.length - to)} later`, Math.min(this.shown.length - 1, to + WINDOW - 1)));
    if (!this.shown.length) all.push(h("tr", {}, h("td", { colspan: 3 }, "No event is like that.")));
    this.body.replaceChildren(...all);
    return { from, to, rows };
  }

  picked(event) {
    const anchor = event.target.closest("[data-anchor]")?.dataset.anchor;
    if (anchor !== undefined) {
      this.window = this.make(Math.max(0, anchor - WINDOW), Math.min(this.shown.length, +anchor + WINDOW));
      this.scroller.scrollTop = this.window.rows.get(this.shown[anchor])?.offsetTop ?? 0;
      this.current = null;
      return;
    }
    const row = event.target.closest("[data-step]"), fold = event.target.closest("[data-fold]")?.dataset.fold;
    if (!row) return;
    if (fold) { this.unfold(+fold); return; }
    this.pause();
    this.go(+row.dataset.step, { fly: true });
    this.call(`seek_row(${this.value("seq")})`);
  }

  /** Show the events that are one stop in the table, or hide them again. */
  unfold(stop) {
    const members = this.recording.story.get(stop).members.filter((n) => n !== stop), open = this.unfolded.has(members[0]);
    for (const n of members) if (open) this.unfolded.delete(n); else this.unfolded.add(n);
    this.list(); this.rows(true);
    this.window.rows.get(stop)?.querySelector("[data-fold]")?.focus({ preventScroll: true });
  }

  /** Up and Down in the table go from row to row of those that the filter lets through. */
  browse(event) {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault(); event.stopPropagation();
    const at = reached(this.shown, this.position, 1) - 1 + by;
    if (at < 0 || at >= this.shown.length) return;
    this.pause();
    this.go(this.shown[at]);
    this.current?.querySelector("button").focus({ preventScroll: true });
  }

  /** An object was clicked: the events that touched it, alone, or all again. */
  select(key) {
    if (!key && !this.selected) return;
    this.selected = key === this.selected ? "" : key;
    this.canvas.mark("mq-selected", this.selected ? [this.canvas.seenAt(this.selected)] : []);
    this.routeButton.hidden = !this.selected && !this.routed;
    this.tellObject();
    this.list(); this.rows(true);
    this.options.changed?.("selected", this.selected);
  }

  /** What the object that is selected is, at the step shown. */
  tellObject() {
    const box = this.selected && this.canvas.box(this.selected), words = box ? saidOf(box, this.canvas.facts, this.canvas.time) : "";
    this.object.hidden = !words;
    if (this.object.textContent !== words) this.object.textContent = words;
  }

  /** Show only the way of messages through the object that is selected, or everything again. */
  route() {
    this.routed = !this.routed && Boolean(this.selected);
    this.routeButton.textContent = this.routed ? "Everything" : "Only its route";
    this.routeButton.setAttribute("aria-pressed", String(this.routed));
    this.routeButton.hidden = !this.selected && !this.routed;
    return this.canvas.only(this.routed ? this.selected : "");
  }

  /** Whether step `n` is about an object of the picture. */
  about(id, n) {
    const { steps } = this.recording, node = this.canvas.model.nodes.get(id), owner = steps.qmgr[n], name = steps.object[n];
    if (id.startsWith("link:")) return (name ?? "").includes(" - ") && linkKey(...name.split(" - ")) === id;
    if (!node || node.kind === "qmgr") return owner === id;
    const acts = node.kind === "program" ? steps.program[n] : name;
    return (owner === node.qmgr && acts === node.name) || steps.ways[n].some((key) => key.split(">").includes(id));
  }

  // -------------------------------------------------------------------------------------------------- moving on
  act(name) {
    this.pause();
    if (name.startsWith("next") && this.finish()) return;
    const { recording, position: n } = this;
    const to = { first: () => 0, last: () => recording.length - 1, step: () => n + 1, back: () => n - 1,
      next_interesting: () => recording.seek(n, 1, (at) => recording.stops(at)), previous_interesting: () => recording.seek(n, -1, (at) => recording.stops(at)) }[name]();
    this.go(to, { fly: to > n });
    this.call(`${name}()`);
  }

  toggle() { if (this.playing) this.pause(); else this.play(); this.call(this.playing ? "play()" : "pause()"); }

  play() {
    if (this.playing) return;
    if (this.position >= this.recording.length - 1) this.go(0);
    this.running(true);
    this.tick();
  }

  pause() { clearTimeout(this.timer); this.until = null; this.hurry = 1; if (this.playing) { this.running(false); this.address(); } }

  running(on) {
    this.playing = on;
    this.opener.hidden ||= on;
    this.playButton.replaceChildren(glyph(on ? "pause" : "play"));
    this.playButton.setAttribute("aria-label", on ? "Pause" : "Play");
    this.options.changed?.("playing", on);
  }

  /** How long a step is looked at, in milliseconds at single speed: longer where something moves or is told. */
  dwell(n) {
    const kind = this.value("kind", n), { recording } = this;
    if (kind === "shot") return Math.min(6000, 1500 + 35 * (recording.shot(n)?.said.length ?? 0));
    const base = this.value("sort", n) ? 1100 : this.value("ways", n).length ? 900 : QUIET.has(kind) ? 150 : 400;
    const gap = n ? this.value("time_us", n) - this.value("time_us", n - 1) : 0;
    return base + Math.min(600, gap / 5000);
  }

  /** The step after this one in play: a publication and its copies are one. */
  get coming() {
    const next = this.position + 1, [stop] = this.value("kind", next) === "publish" ? [...this.recording.story].find(([, { members }]) => members[0] === next) ?? [next] : [next];
    return this.recording.following ? next : stop;
  }

  tick() {
    const end = this.until ?? this.recording.length - 1;
    if (this.position >= end) return this.pause();
    const wait = () => { this.timer = this.flight ? setTimeout(wait, 30) : setTimeout(() => { this.go(this.coming, { fly: true }); if (this.playing) this.tick(); }, this.dwell(this.position) / this.speed / this.hurry); };
    wait();
  }

  setSpeed(speed) {
    this.speed = Math.min(64, Math.max(0.1, +speed || 1));
    if (!SPEEDS.includes(this.speed) && ![...this.speeds.options].some((o) => +o.value === this.speed)) this.speeds.append(h("option", { value: this.speed }, `${this.speed}×`));
    this.speeds.value = this.speed;
    this.options.changed?.("speed", this.speed);
  }

  faster(by) {
    const at = SPEEDS.findIndex((speed) => speed >= this.speed);
    this.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, (at < 0 ? SPEEDS.length - 1 : at) + by))]);
    this.call(`speed = ${this.speed}`);
  }

  /** For a room: play up to the next stop, or go back to the one before; a press in between shows that stop at once. */
  onward(direction) {
    const shown = this.until ?? this.position, moving = this.until !== null || this.flight;
    this.pause();
    if (direction > 0 && moving) { this.finish(); return this.go(shown); } // the next press goes on
    const to = this.recording.seek(this.position, direction, (n) => this.recording.stops(n));
    if (direction < 0 || this.still.matches || to === this.position) return this.go(to);
    let lasts = 0;
    for (let n = this.position; n < to; n++) lasts += n === this.position ? 0 : this.dwell(n);
    this.until = to;
    this.hurry = Math.max(1, lasts / 3000);
    this.go(this.coming, { fly: true });
    if (this.position >= to) { this.until = null; return undefined; }
    this.running(true);
    return this.tick();
  }

  /** Follow a message: stops are its events alone, from its put to its end; 0 ends that. `ride` goes to its put. */
  follow(number, ride = true) {
    const { recording } = this, first = number ? recording.steps.message.indexOf(number) : -1, following = first < 0 ? 0 : number;
    if (following === recording.following) return;
    this.pause();
    recording.following = following;
    this.root.classList.toggle("mq-follows", following > 0);
    this.list(); this.rows(true);
    if (following && ride && first !== this.position) this.go(first, { fly: true });
    else { this.finish(); this.narrate(); }
    if (!following) this.canvas.fit();
    this.options.changed?.("following", following);
    this.call(following ? `follow(${following})` : "follow(None)");
  }

  /** Follow the message of the step shown, or end that. */
  followHere() { this.follow(this.recording.following ? 0 : this.value("message")); }

  stripped(event) {
    const box = this.strip.getBoundingClientRect(), begin = this.recording.steps.time_us[0];
    const us = begin + ((event.clientX - box.left) / box.width) * (this.recording.steps.time_us.at(-1) - begin);
    this.pause();
    this.go(this.recording.at(us));
    this.call(`seek("${this.recording.clock(Math.max(begin, us))}")`);
  }

  // -------------------------------------------------------------------------------------------------- how it looks
  view(name) {
    for (const [each, box] of Object.entries(this.views)) {
      box.hidden = each !== name;
      this.tabs[each].setAttribute("aria-pressed", String(each === name));
    }
    if (name === "table") this.fill();
  }

  /** Objects by their names; the one that is chosen is brought into sight. */
  find() {
    const found = this.canvas.found(this.finder.value), { hits } = this;
    hits.hidden = !this.finder.value.trim();
    hits.replaceChildren(...found.slice(0, 12).map((node) => h("button", { type: "button", onclick: () => { hits.hidden = true; this.canvas.reveal(node.id).then(() => { if (node.kind !== "structure") this.select(node.id); }); } }, node.id)),
      h("p", {}, found.length ? `${thousands(found.length)} found` : "Nothing has that name."));
  }

  /** The signs that the picture uses now. */
  explainSigns() {
    if (!this.signs.open) return;
    const signs = keyOf(this.canvas.model, this.canvas.scene, this.canvas.facts, this.canvas.time);
    this.signs.lastChild.replaceChildren(...signs.map(([sign, words]) => {
      const row = h("p", {}), svg = s("svg", { viewBox: "0 0 24 20", width: 29, height: 24, "aria-hidden": "true" });
      svg.innerHTML = sign;
      row.append(svg, words);
      return row;
    }));
  }

  present(on) {
    this.presenting = on;
    this.root.classList.toggle("mq-presenting", on);
    this.root.classList.toggle("mq-tall", on && this.tall());
    this.canvas.smallest = on && this.root.clientWidth > 760 ? 12 : LEAST; // pixels
    if (on) this.view("topology");
    this.canvas.fit(0);
    if (on) this.squeeze();
    this.options.changed?.("present", on);
    this.address();
    if (on) this.nextHint.focus({ preventScroll: true });
  }

  /** Whether the height of the window bounds the picture above the words. */
  tall() {
    const { width, height } = this.canvas.scene, { clientWidth: wide, clientHeight: high } = this.root;
    return wide / width > (0.62 * high) / height;
  }

  theme() {
    const order = ["auto", "light", "dark"], html = document.documentElement;
    this.themed = order[(order.indexOf(this.themed ?? "auto") + 1) % 3];
    if (this.themed === "auto") html.removeAttribute("data-jp-theme-light");
    else html.setAttribute("data-jp-theme-light", String(this.themed === "light"));
    html.style.colorScheme = this.themed === "auto" ? "" : this.themed;
    this.themeButton.textContent = `Theme: ${this.themed}`;
  }

  full() { if (document.fullscreenElement) document.exitFullscreen(); else this.el.requestFullscreen?.(); }

  /** One key; what is typed into a field, and what a button or a list does with a key, is left to it. */
  key(event) {
    const { target } = event;
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || this.help.open) return;
    if (target.closest?.("input:not([type=range]):not([type=checkbox]), textarea, select, [contenteditable]")) return;
    const presses = target.closest?.("button, summary, input[type=checkbox]") && !target.classList.contains("mq-onward");
    const slides = target.matches?.("input[type=range]");
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key, acts = this.presenting ? this.roomKeys() : this.deskKeys();
    const name = event.shiftKey && key.startsWith("Arrow") ? `Shift+${key}` : key;
    if (presses && (key === " " || key === "Enter")) return;
    if (slides && ["ArrowRight", "ArrowLeft", "Home", "End"].includes(name)) return;
    if (!acts[name]) return;
    event.preventDefault(); event.stopPropagation();
    acts[name]();
  }

  deskKeys() {
    return {
      " ": () => this.toggle(), ArrowRight: () => this.act("step"), ArrowLeft: () => this.act("back"),
      "Shift+ArrowRight": () => this.act("next_interesting"), "Shift+ArrowLeft": () => this.act("previous_interesting"),
      PageDown: () => this.act("next_interesting"), PageUp: () => this.act("previous_interesting"),
      Home: () => this.act("first"), End: () => this.act("last"), "+": () => this.faster(1), "=": () => this.faster(1), "-": () => this.faster(-1),
      v: () => this.view(this.stage.hidden ? "topology" : "table"), z: () => this.canvas.zoom(1.25), x: () => this.canvas.zoom(0.8), 0: () => this.canvas.fit(), "/": () => this.finder.focus(), r: () => this.route(), p: () => this.present(true), ...(this.recording.following ? { Escape: () => this.follow(0) } : {}), ...this.anyKeys(),
    };
  }

  roomKeys() {
    return {
      " ": () => this.onward(1), ArrowRight: () => this.onward(1), PageDown: () => this.onward(1), Enter: () => this.onward(1),
      ArrowLeft: () => this.onward(-1), PageUp: () => this.onward(-1), ArrowDown: () => this.more(),
      Home: () => this.act("first"), End: () => this.act("last"),
      Escape: () => (this.recording.following ? this.follow(0) : this.present(false)), p: () => this.present(false), ...this.anyKeys(),
    };
  }

  anyKeys() {
    return { "?": () => this.help.showModal(), f: () => this.full(), s: () => speak(this), m: () => this.followHere(), w: () => { this.why.open = !this.why.open; this.explain(); },
      ...(this.options.page ? { t: () => this.theme() } : {}) };
  }
}

function glyph(name) {
  return s("svg", { viewBox: "0 0 20 20", class: `mq-icon ${name}`, "aria-hidden": "true" }, s("path", { d: ICONS[name] }));
}

/** Words as a sentence: a capital at the front where a plain word stands there, and a full stop. */
function sentence(words) {
  return (/^[a-z]+ /.test(words) ? words[0].toUpperCase() + words.slice(1) : words) + (words ? "." : "");
}

/** A promise of ELK from its packed text (base64), made once a page; null for no text. */
export function elkFrom(packed) {
  if (!packed) return null;
  return () => (globalThis.mqlabElk ??= unzipped(Uint8Array.from(atob(packed), (c) => c.charCodeAt(0))).then((text) => {
    document.head.append(h("script", {}, text)); // no eval: the pages' policy allows inline scripts alone
    return new globalThis.ELK();
  }));
}

/** A player in `el` for a recording's values; see Player for the options. */
export function boot(el, data, options = {}) { return new Player(el, new Recording(data), options); }

/** The saved page: its recording, its place in the address, its words for a reader without scripts gone. */
export async function bootPage(page) {
  const el = page.getElementById("player"), packed = atob(page.getElementById("recording").textContent.trim());
  const data = await unpack(Uint8Array.from(packed, (c) => c.charCodeAt(0)));
  if (data.sides) return (window.player = new Duel(el, data, { page: true, elk: elkFrom(page.getElementById("elk")?.textContent.trim()) }));
  const player = boot(el, data, { page: true, title: el.dataset.title, leftOut: el.dataset.leftOut, elk: elkFrom(page.getElementById("elk")?.textContent.trim()), lifecycle: page.getElementById("lifecycle").innerHTML.trim() });
  const place = () => {
    const wanted = new URLSearchParams(location.hash.slice(1));
    if (wanted.has("step")) player.go(+wanted.get("step"));
    if (wanted.has("present") !== Boolean(player.presenting)) player.present(wanted.has("present"));
  };
  addEventListener("hashchange", place);
  place();
  window.player = player;
  return player;
}

/** The notebook widget. */
async function render({ model, el }) {
  el.classList.add("mqlab-player");
  const bytes = (name) => { const view = model.get(name); return new Uint8Array(view.buffer, view.byteOffset, view.byteLength); };
  let player = null, sending = null, turn = 0;
  const changed = (name, value) => {
    model.set(name, value);
    if (name !== "position" || !player?.playing) { clearTimeout(sending); sending = null; model.save_changes(); }
    else sending ??= setTimeout(() => { sending = null; model.save_changes(); }, 200);
  };
  const quietly = (act) => { const told = player.options.changed; player.options.changed = null; try { act(); } finally { player.options.changed = told; } };
  const load = async () => {
    const mine = ++turn, data = await unpack(bytes("recording"));
    const more = model.get("more").byteLength ? await unpack(bytes("more")) : null;
    if (mine !== turn) return;
    player?.close();
    player = boot(el, data, { title: model.get("title"), lifecycle: model.get("lifecycle"), calls: "panel", flows: !model.get("bare"), bare: model.get("bare"), elk: elkFrom(model.get("elk")) });
    if (more) { player.recording.extend(more); player.marks(); player.list(); player.rows(true); }
    player.setSpeed(model.get("speed"));
    player.follow(model.get("following"), false);
    player.go(model.get("position"));
    if (model.get("present")) player.present(true);
    player.options.changed = changed;
    if (model.get("playing")) player.play();
  };
  const grow = async () => {
    if (!model.get("more").byteLength) return;
    const mine = turn, more = await unpack(bytes("more"));
    if (mine !== turn) return;
    player.recording.extend(more);
    player.marks(); player.list(); player.rows(true);
    const at = player.position;
    player.position = -1;
    quietly(() => player.go(Math.max(model.get("position"), 0)));
    if (player.position < 0) player.go(at);
  };
  const listeners = {
    "change:recording": load, "change:more": grow,
    "change:position": () => quietly(() => player.go(model.get("position"), { fly: model.get("position") === player.position + 1 })),
    "change:playing": () => quietly(() => (model.get("playing") ? player.play() : player.pause())),
    "change:speed": () => quietly(() => player.setSpeed(model.get("speed"))),
    "change:present": () => quietly(() => player.present(model.get("present"))),
    "change:selected": () => { if (model.get("selected") !== player.selected) quietly(() => player.select(model.get("selected"))); },
    "change:following": () => quietly(() => player.follow(model.get("following"), false)),
    "change:title": () => player.setTitle(model.get("title")),
    "change:lifecycle": () => player.setLifecycle(model.get("lifecycle")),
  };
  await load();
  for (const [name, act] of Object.entries(listeners)) model.on(name, act);
  return () => { turn++; for (const [name, act] of Object.entries(listeners)) model.off(name, act); player.close(); };
}

export default { render };
