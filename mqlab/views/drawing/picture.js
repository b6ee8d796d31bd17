// The picture of a scene at one moment, as SVG text. `k` is the scale at which it will be seen: text is never smaller
// than 11 px there; it grows in the picture, is shortened to its box, or goes.

const LEAST = 11, NAMED = 22; // pixels: names and alarms of cards grow to this in a picture that is small
const SECOND = 16; // pixels: the second line of a card is no larger, and is there from this scale on:
const TWO = LEAST / SECOND;
const SIGNS = { // of queues: letter, outline in a box of 20 by 20 around 0, 0, words
  alias: ["A", "M-9 -7.5H3L9 0L3 7.5H-9z", "alias queue"],
  remote: ["R", "M-9.5 0L0 -9.5L9.5 0L0 9.5z", "remote queue definition"],
  cluster: ["C", "M0 -9.5L9 -3L5.6 8H-5.6L-9 -3z", "cluster queue: each put goes to one of its instances"],
  instance: ["L", "M0 -9.5L9 -3L5.6 8H-5.6L-9 -3z", "local queue in a cluster: one of the instances"],
  model: ["M", "M-5 -8H5Q8 -8 8 -5V5Q8 8 5 8H-5Q-8 8 -8 5V-5Q-8 -8 -5 -8z", "model queue"],
  topic: ["T", "M-9 -8H9V4.5H3L0 9L-3 4.5H-9z", "topic"],
  local: ["L", "M-8 -8H8V8H-8z", "local queue"],
  transmission: ["X", "M-9.5 0L-5 -8.2H5L9.5 0L5 8.2H-5z", "transmission queue"],
  backout: ["B", "M-9 -8H9L5 8H-5z", "backout queue"],
  "dead-letter": ["D", "M-4 -9H4L9 -4V4L4 9H-4L-9 4V-4z", "dead-letter queue"],
  initiation: ["I", "M-8.8 0A8.8 8.8 0 1 1 8.8 0A8.8 8.8 0 1 1 -8.8 0z", "initiation queue"],
  synchronous: ["S", "M-9.5 -5H9.5V5H-9.5z", "remote queue, used while its owner can be reached"],
  asynchronous: ["O", "M-9 -8H9V5L0 9.5L-9 5z", "remote queue, kept here until it can be sent"],
  "home-server": ["H", "M-8.5 9V-2L0 -9.5L8.5 -2V9z", "home-server queue, which pulls its messages from its server"],
  "store-and-forward": ["F", "M-9.5 -8H5L9.5 0L5 8H-9.5L-5.5 0z", "store-and-forward queue"],
};
const STATES = { // of channels: letter, outline, class, words
  RUNNING: ["R", "M-8.5 0A8.5 8.5 0 1 1 8.5 0A8.5 8.5 0 1 1 -8.5 0z", "run"],
  RETRYING: ["Y", "M0 -10L10 7.5H-10z", "bad"],
  PAUSED: ["P", "M-8 -8H8V8H-8z", "bad"],
  STOPPED: ["S", "M-3.7 -9H3.7L9 -3.7V3.7L3.7 9H-3.7L-9 3.7V-3.7z", "stop"],
  INACTIVE: ["I", "M-8 0A8 8 0 1 1 8 0A8 8 0 1 1 -8 0z", "idle"],
};
const CLIENTS = ["C", "M-8 0A8 8 0 1 1 8 0A8 8 0 1 1 -8 0z", ""];
const BINDING = ["B", "M0 -9.5L9.5 0L0 9.5L-9.5 0z", "bind"];
const EDGES = {
  puts: "puts messages to", gets: "is read by", connects: "comes in through", alias: "is another name for", remote: "sends by way of",
  backout: "has the backout queue", initq: "asks for a program through", talks: "sends to", repositories: "sends what repository managers say to",
  subscribes: "is subscribed to by",
  transmits: "sends to", pulls: "fetches messages from", delivers: "puts what it fetched on", link: "is linked to",
};
const KEY_WORDS = { ...EDGES, backout: "names its backout queue: a program moves messages" };
const PLATFORMS = { zos: "z/OS", everyplace: "MQ Everyplace" };
const MESSAGE_STATES = { live: "available", uncommitted: "put, not committed", got: "held by an uncommitted get", locked: "locked by a browse", expired: "expired, still counted", failed: "in a failed structure", logged: "only in the log: its structure failed" };
const TRACES = { // of events: glyph, words before the reason code, words in the key
  refused: ["M-4 -6H4V6H-4zM-7 -7L7 7M-7 7L7 -7", "put refused", "put refused, and its reason"],
  failed: ["M-6 0H6M-7 -7L7 7M-7 7L7 -7", "get failed", "get failed, and its reason"],
  vain: ["M-7 -3Q-6 6 0 6Q6 6 7 -3M-2.5 -3h5", "no message", "get found no message"],
  discarded: ["M-4 7H4V3H-4zM-2 1Q-5 -1 -2 -3Q1 -5 -2 -8M3 1Q0 -1 3 -3Q6 -5 3 -8", "", "messages discarded"],
  lost: ["M1 -8L-5 1H0L-2 8L6 -2H1L4 -8z", "", "messages lost"],
};
const WIDE = /[A-Z→…@MW%]/, NARROW = /[.,:·|iljt ']/;

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g; // a page shows these as escapes
const visible = (words) => String(words).replace(CONTROL, (c) => (c < "\u0100" ? `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}` : `\\u${c.charCodeAt(0).toString(16)}`));
const NOT_XML = /[\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const escaped = (words) => visible(words).replace(NOT_XML, "\ufffd").replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
const tenth = (value) => Math.round(value * 10) / 10;
const counted = (number) => (number < 1e4 ? String(number) : number < 1e5 ? String(number).replace(/\B(?=(\d{3})+$)/g, ",") : number < 999500 ? `${Math.round(number / 1e3)}k` : `${Math.round(number / 1e6)}M`);
const plural = (number, one, many = `${one}s`) => `${counted(number)} ${number === 1 ? one : many}`;
const exists = (node, facts) => facts(node.id) !== null;

/** Width of words at a size of 1, on the wide side. */
const widthOf = (words, mono) => (mono ? words.length * 0.61 : [...words].reduce((sum, c) => sum + (WIDE.test(c) ? 0.75 : NARROW.test(c) ? 0.36 : 0.62), 0));

/** Words of at most `many` characters, shortened in the middle, where names differ least. */
function shortened(words, many) {
  const all = [...words]; // by characters, not halves of them
  if (all.length <= many) return words;
  if (many < 3) return "";
  return `${all.slice(0, Math.ceil((many - 1) * 0.55)).join("")}…${all.slice(all.length - Math.floor((many - 1) * 0.45)).join("")}`;
}

/** The size at which a text of `size` is legible at the scale `k`, 0 if that is more than `most`. */
const legible = (size, k, most = size) => { const real = Math.max(size, LEAST / k); return real <= most * 1.001 ? real : 0; };

/** Words as long as `room` lets them be at a size. */
function fitting(words, room, size, mono = false) {
  let many = words.length, shown = words;
  while (shown && widthOf(shown, mono) * size > room) shown = shortened(words, --many);
  return shown;
}

/** Words in a box `room` wide on the baseline at x, y; "" where they cannot be legible. */
function text(words, x, y, room, size, kind, k, most = size, anchor = "") {
  const real = legible(size, k, most), mono = /mono/.test(kind);
  if (!real || !words) return "";
  const shown = fitting(words, room / (/strong|title/.test(kind) && !mono ? 1.06 : 1), real, mono);
  const end = anchor ? ` text-anchor="${anchor}"` : "";
  return shown ? `<text class="${kind}" x="${tenth(x)}" y="${tenth(y)}" font-size="${tenth(real)}"${end}>${escaped(shown)}</text>` : "";
}

const rect = (kind, x, y, w, h, r = 0) => `<rect class="${kind}" x="${tenth(x)}" y="${tenth(y)}" width="${tenth(w)}" height="${tenth(h)}"${r ? ` rx="${tenth(r)}"` : ""}/>`;

/** A word of alarm, or of another kind, on a pill that ends at `right`; [SVG, its width]. */
function pill(word, right, y, k, kind = "alarm", most = NAMED) {
  const size = legible(LEAST, k, most), wide = widthOf(word, false) * size * 1.1 + 14;
  if (!size) return ["", 0];
  y -= size * 0.3; // over the edge of its box, off the name below
  return [`<g class="pill-${kind}">${rect(`${kind}-ground`, right - wide, y - size * 0.82, wide, size * 1.64, size * 0.8)}<text class="${kind}-word" x="${tenth(right - wide / 2)}" y="${tenth(y + size * 0.36)}" font-size="${tenth(size)}" text-anchor="middle">${word}</text></g>`, wide];
}

/** A sign with its letter, around x, y. */
function sign(outline, letter, x, y, kind, k) {
  const size = legible(LEAST, k, 13);
  const said = size && letter ? `<text class="letter" x="${tenth(x)}" y="${tenth(y + size * 0.36)}" font-size="${tenth(size)}" text-anchor="middle">${letter}</text>` : "";
  return `<g class="sign ${kind}"><path transform="translate(${tenth(x)} ${tenth(y)})" d="${outline}"/>${said}</g>`;
}

/** Path data through corners, rounded. */
function pathOf(points, radius = 7) {
  let d = `M${tenth(points[0][0])} ${tenth(points[0][1])}`;
  for (let i = 1; i < points.length - 1; i++) {
    const [ax, ay] = points[i - 1], [bx, by] = points[i], [cx, cy] = points[i + 1];
    const before = Math.hypot(bx - ax, by - ay), after = Math.hypot(cx - bx, cy - by), r = Math.min(radius, before / 2, after / 2);
    if (!before || !after) continue;
    d += `L${tenth(bx - ((bx - ax) / before) * r)} ${tenth(by - ((by - ay) / before) * r)}Q${tenth(bx)} ${tenth(by)} ${tenth(bx + ((cx - bx) / after) * r)} ${tenth(by + ((cy - by) / after) * r)}`;
  }
  const [x, y] = points[points.length - 1];
  return `${d}L${tenth(x)} ${tenth(y)}`;
}

/** The state of one message, [number, priority, state, put, deadline, label, persistent,
 *  BackoutCount, reason], at a moment; times in microseconds. */
function stateOf(message, now, failed) {
  const [, , state, , expires] = message;
  if (failed && state !== "got") return message[6] ? "logged" : "failed"; // a persistent message can be recovered
  return state === "live" && expires != null && expires <= now ? "expired" : state || "live";
}

/** What is left of a message's lifetime, 1 for all of it and for an unlimited one. */
const lifeOf = ([, , , put, expires], now) => (expires == null ? 1 : Math.max(0, Math.min(1, (expires - now) / Math.max(1, expires - put))));

/** Whether a message is part of its queue's depth: not if an uncommitted get has removed it. */
const counts = ([, , state]) => state !== "got";

/** The messages behind the first `from` as runs [state, how many], in delivery order; those of a queue too long to tell
 *  are a last run of state "more". */
function runsOf(now, from, time, failed) {
  const runs = [], shown = now.messages.filter(counts).length, told = shown + total(now.runs, ([, many]) => many);
  const add = (state, many) => { const last = runs[runs.length - 1]; if (last && last[0] === state) last[1] += many; else if (many > 0) runs.push([state, many]); };
  for (const message of now.messages.slice(from)) add(stateOf(message, time, failed), 1);
  for (const [state, many] of now.runs) add(failed ? "failed" : state, many);
  add(now.runs.length ? "more" : failed ? "failed" : "live", now.depth - told);
  return runs;
}

/** How runs read: "12 expired, still counted, then 40 available". */
const saidRuns = (runs) => runs.map(([state, many]) => `${counted(many)} ${MESSAGE_STATES[state] ?? "more"}`).join(", then ");

/** What is told of a message in words. */
function saidOfMessage([number, priority, , , , label, persistent, backouts, reason], state) {
  const more = `${backouts ? `, BackoutCount ${backouts}` : ""}${reason ? `, put here because of reason ${reason}` : ""}`;
  return `Message ${number}${label ? ` "${label}"` : ""}, ${persistent ? "persistent" : "nonpersistent"}, priority ${priority}${more}: ${MESSAGE_STATES[state]}`;
}

/** The body of a message: square on a thick foot if it is persistent, round if not; `left` pixels of its life are left. */
function candle(x, y, w, high, left, persistent) {
  return rect("wick", x, y, w, high, persistent ? 1 : 7) + (left > 0 ? rect("life", x + 1, y + 1 + (high - 2 - left), w - 2, left, persistent ? 0.5 : Math.min(6, left / 2)) : "") + (persistent ? `<path class="kept" d="M${tenth(x - 0.6)} ${tenth(y + high)}h${tenth(w + 1.2)}"/>` : "");
}

/** The messages of a queue in delivery order, the front first: each a candle that burns down, with its label where there is
 *  room, its BackoutCount, and its priority where several are there; what is behind them as runs of one state, each a bar with its number. */
function messagesOf(now, x, y, room, k, time, failed) {
  if (!now.messages.length) return "";
  if (k < 0.55) return bulk(now, x, y, room, time, failed);
  const size = legible(LEAST, k, 18), few = now.messages.slice(0, FRONT), high = 18, lift = 4;
  const ranked = new Set(now.messages.map(([, priority]) => priority).filter((each) => each != null)).size > 1; // else it tells nothing
  const marks = ([, priority, , , , , , backouts]) => [ranked ? ["priority", `p${priority}`] : [], backouts ? ["backs", `↩${backouts}`] : []];
  const parts = (message, full) => [marks(message)[0], full ? ["", shortened(message[5] || `#${message[0]}`, 9)] : [], marks(message)[1]].filter((each) => each.length);
  const wideOf = (message, full) => Math.max(14, widthOf(parts(message, full).map(([, words]) => words).join(" "), true) * size + (full ? 9 : 5));
  const narrow = few.map((message) => wideOf(message, false)), bodies = (many) => 8 + total(narrow.slice(0, many), (each) => each + 3);
  const bars = (from) => runsOf(now, from, time, failed).map(([state, count], place, all) => {
    const plain = state === "more" || (all.length === 1 && state === "live"), words = `${plain ? "+" : "×"}${counted(count)}`;
    return { state, count, plain, words, w: widthOf(words, true) * size + (plain ? 4 : 10) };
  });
  let singles = few.length;
  while (singles > 1 && bodies(singles) + (size ? total(bars(singles), (bar) => bar.w) : 0) > room) singles--;
  let spare = size ? room - bodies(singles) - total(bars(singles), (bar) => bar.w) : -1, named = 0;
  while (named < singles && (spare -= wideOf(few[named], true) - narrow[named]) >= 0) named++; // those in front have their labels
  let at = x + 8, drawn = failed ? "" : `<path class="front" d="M${tenth(x)} ${y + 2}v14l6-7z"/>`;
  for (const [place, message] of few.slice(0, singles).entries()) {
    const w = place < named ? wideOf(message, true) : narrow[place];
    const state = stateOf(message, time, failed), life = lifeOf(message, time), h = tenth((high - 2) * life);
    drawn += `<g class="message ${state}" data-message="${message[0]}"${state === "got" ? ` transform="translate(0 ${-lift})"` : ""}>${candle(at, y, w, high, h, message[6])}`;
    if (state === "expired") drawn += `<path class="cross" d="M${tenth(at + 1.5)} ${y + 1.5}L${tenth(at + w - 1.5)} ${y + high - 1.5}M${tenth(at + 1.5)} ${y + high - 1.5}L${tenth(at + w - 1.5)} ${y + 1.5}"/>`;
    if (size) {
      const words = parts(message, place < named).map(([kind, each]) => (kind ? `<tspan class="${kind}">${each}</tspan>` : escaped(each))).join(" ");
      drawn += `<text class="mono digit" x="${tenth(at + w / 2)}" y="${tenth(y + high / 2 + size * 0.36)}" font-size="${tenth(size)}" text-anchor="middle">${words}</text>`;
    }
    drawn += `<title>${escaped(saidOfMessage(message, state))}</title></g>`;
    at += w + 3;
  }
  for (const bar of size ? bars(singles) : []) {
    const { state, count, plain, words, w } = bar;
    if (at + w > x + room + 3) { if (at + 10 <= x + room) drawn += text("…", at, y + high / 2 + size * 0.36, 20, size, "mute", k); break; }
    const body = plain ? "" : rect("wick", at, y, w - 3, high, 2.5) + (state === "expired" ? "" : rect("life", at + 1, y + 1, w - 5, high - 2, 1.5));
    drawn += `<g class="message ${state}">${body}<text class="mono ${plain ? "mute" : "digit"}" x="${tenth(at + (w - 3) / 2)}" y="${tenth(y + high / 2 + size * 0.36)}" font-size="${tenth(size)}" text-anchor="middle">${words}</text><title>${saidRuns([[state, count]])}</title></g>`;
    at += w;
  }
  return drawn;
}

/** From afar the messages of a queue are one bar, run by run; its length tells the depth on a logarithmic scale. */
function bulk(now, x, y, room, time, failed) {
  const wide = room * Math.max(0.08, Math.log1p(now.depth) / Math.log1p(Math.max(now.most || 0, now.depth, 50)));
  let at = x, drawn = "";
  for (const [state, many] of runsOf({ ...now, messages: now.messages.filter(counts) }, 0, time, failed)) { const w = (wide * many) / now.depth; drawn += rect(`bulk ${state}`, at, y, w, 16); at += w; }
  return drawn;
}

/** A length of time in microseconds in the fewest words. */
function spanOf(us) {
  const seconds = us / 1e6;
  return seconds < 10 ? `${tenth(seconds)} s` : seconds < 120 ? `${Math.round(seconds)} s` : seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

/** The traffic of a queue, [messages in, out] a second, on the lower edge of its card, with the age of its oldest message. */
function flowTag([came, left], now, w, h, time, k) {
  const size = legible(LEAST, k, 13), oldest = now.oldest == null ? "" : ` · oldest ${spanOf(time - now.oldest)}`, words = `${tenth(came)} → ${tenth(left)} /s${oldest}`;
  if (!size) return "";
  const wide = Math.min(w, widthOf(words, false) * size + 16);
  return rect("flow", (w - wide) / 2, h - size * 0.7, wide, size * 1.5, size * 0.75) + text(words, w / 2, h + size * 0.42, wide - 10, LEAST, "mute", k, 13, "middle");
}

/** Traces, each [id, kind, reason, queue], as [kind, words, fewer words] with those alike as one. */
function toldTraces(traces) {
  const many = new Map();
  for (const [, kind, reason] of traces) many.set(`${kind} ${reason}`, (many.get(`${kind} ${reason}`) ?? 0) + 1);
  return [...many].map(([key, count]) => {
    const [kind, reason] = key.split(" "), times = count > 1 ? ` ×${counted(count)}` : "";
    if (kind === "discarded" || kind === "lost") return [kind, `${counted(count)} ${kind}`, `${counted(count)} ${kind}`];
    return [kind, `${TRACES[kind][1]}: ${reason}${times}`, reason + times];
  });
}

/** The traces of an object at a moment. */
const tracesOf = (node, facts) => toldTraces(facts(`trace:${node.id}`) ?? []);

/** What the foot of a queue's card tells of its messages: the reasons for dead letters, and the highest BackoutCount. */
function footOf(now) {
  const reasons = [...new Set(now.messages.map((each) => each[8]).filter(Boolean))].join(", "), most = Math.max(0, ...now.messages.map((each) => each[7] ?? 0));
  return [...(reasons ? [["why", `reason ${reasons}`, reasons]] : []), ...(most ? [["why", `BackoutCount ${most}`, ""]] : [])];
}

/** Words, each [kind, words, fewer words], on pills side by side over the lower edge of a card, as far as there is room; without
 *  fewer words they go first. */
function footTags(tags, w, h, k, most = NAMED) {
  const size = legible(LEAST, k, most), y = h + size * 0.25;
  const glyph = (kind) => (TRACES[kind] ? 16 * (size / LEAST) : 0), wideOf = (kind, words) => widthOf(words, false) * size + 14 + glyph(kind);
  const fits = (some) => total(some, ([kind, words]) => wideOf(kind, words) + 4) <= w;
  if (!fits(tags)) tags = tags.filter(([, , short]) => short);
  const all = fits(tags);
  let x = tags.length && wideOf(tags[0][0], tags[0][1]) > w - 12 ? 0 : 8, drawn = "";
  for (const [kind, long, short] of size ? tags : []) {
    const words = all ? long : short, fit = fitting(words, w - x - 8 - glyph(kind), size), shown = fit === words || !drawn ? fit : "", wide = wideOf(kind, shown);
    if (!shown) break; // whole, or not at all
    drawn += `<g class="foot ${kind}">${rect("foot-ground", x, y - size * 0.8, wide, size * 1.6, size * 0.8)}<text class="foot-word" x="${tenth(x + (wide + glyph(kind)) / 2)}" y="${tenth(y + size * 0.36)}" font-size="${tenth(size)}" text-anchor="middle">${escaped(shown)}</text>${glyph(kind) ? `<path class="glyph" transform="translate(${tenth(x + 5 + glyph(kind) / 2)} ${tenth(y)}) scale(${tenth(size / LEAST)})" d="${TRACES[kind][0]}"/>` : ""}</g>`;
    x += wide + 4;
  }
  return drawn;
}

/** The clusters that an object is in, unless the frame around its queue manager says them, and of how many instances of a
 *  queue it is one, on the upper edge of its card, ending at `right`. */
function clusterTag(node, right, k) {
  const words = [node.cluster && !node.framed ? `in ${shortened(node.cluster, 18)}` : "", node.instances > 1 ? `1 of ${node.instances} instances` : ""];
  return tagged(node) ? pill(escaped(words.filter(Boolean).join(", ")), right, 0, k, "tag")[0] : "";
}

const MOVED = "moved by a program";

/** The type of a queue at a moment: one that is to be a backout or initiation queue is local until a queue names it. */
const typeOf = (node, facts) => {
  const type = node.named?.every((id) => facts(id) === null) ? "local" : node.type;
  return type === "local" && node.cluster ? "instance" : type;
};

function topicCard(node, w, h, k) {
  const [letter, outline] = SIGNS.topic, lead = k >= 0.8 ? 36 : 12, told = k >= TWO && node.about !== node.name;
  return rect("card topic", 0, 0, w, h, h / 2) + (k >= 0.8 ? sign(outline, letter, 22, h / 2, "", k) : "") + text(node.name, lead, told ? 19 : h / 2 + 4.5, w - lead - 12, 12.5, "mono strong", k, NAMED) + clusterTag(node, w - 14, k) +
    (told ? text(node.about, lead, 35, w - lead - 14, 11.5, "mono mute", k, SECOND) : "");
}

/** Where a name leads, in a few words. */
const toOf = ({ type, target }, many = type === "cluster" ? target.split(", ").length : 0) => `${type === "home-server" ? "fetches from" : "→"} ${many > 2 ? `${many} instances` : target.replace("@", " at ")}`;

function queueCard(node, w, h, k, facts, time) {
  const now = queueNow(facts(node.id)), bad = trouble(node, facts), names = NAMES_ONLY.has(node.type), type = typeOf(node, facts), [letter, outline] = SIGNS[type];
  const failed = bad === "structure failed", calm = k < 0.8;
  let drawn = rect(`card${names ? " names" : ""}${bad ? " bad" : ""}`, 0, 0, w, h, 7);
  const lead = calm ? 12 : 34, middle = names ? (node.target && k >= TWO ? 15 : h / 2) : k < TWO && !now.messages.length ? h / 2 : 18;
  if (!calm) drawn += sign(outline, letter, 18, middle, bad ? "bad" : "", k);
  let right = w - 10;
  for (const [stopped, word] of [[!now.put, "no puts"], [!now.get, "no gets"]]) {
    if (!stopped || node.type === "model") continue;
    const [mark, wide] = pill(word, right, 0, k);
    drawn += mark; right -= wide + 4;
  }
  if (bad && !failed) { // a structure that failed says so itself
    const [mark, wide] = pill(bad, right, 0, k);
    drawn += mark; right -= wide + 4;
  }
  drawn += clusterTag(node, right, k);
  const [moved, long] = type === "backout" && !node.cluster ? pill(MOVED, right, 0, k, "tag") : ["", 0];
  if (long < right) drawn += moved; // the arrow alone would read as the queue manager's work
  drawn += text(node.name, lead, middle + 4.5, w - lead - 8, 12.5, "mono strong", k, NAMED);
  if (names) return drawn + (node.target ? text(toOf(node), calm ? 12 : 34, h - 9, w - (calm ? 20 : 44), 11.5, "mono mute", k, SECOND) : "");
  const share = now.most ? now.depth / now.most : 0, some = now.messages.length > 0;
  const depth = now.depth ? `${counted(now.depth)}${share >= 0.5 ? ` of ${counted(now.most)}` : ""}` : k < TWO || now.held ? "" : "empty";
  const size = legible(11.5, k, NAMED), wide = size && depth ? widthOf(depth, false) * size * 1.08 + 6 : 0;
  drawn += messagesOf(now, 12, h - 27, w - 22 - (some ? wide : 0), k, time, failed);
  if (size && depth) drawn += `<text class="${bad ? "alarm" : now.depth ? "strong" : "mute"}" x="${some ? w - 10 : lead}" y="${h - 13}" font-size="${tenth(size)}"${some ? ' text-anchor="end"' : ""}>${depth}</text>`;
  drawn += footTags([...tracesOf(node, facts), ...(failed && now.messages.some((each) => each[6]) ? [["why", "only in the log", "in the log"]] : []), ...(now.held ? [["held", `${counted(now.held)} held by ${now.holder}`, `${counted(now.held)} held`]] : []), ...footOf(now)], w, h, k);
  const flow = facts(`flow:${node.id}`);
  return flow ? drawn + flowTag(flow, now, w, h, time, k) : drawn;
}

function channelCard(node, w, h, k, facts) {
  const [state] = facts(node.id) ?? ["INACTIVE"], clients = node.chltype === "SVRCONN", [letter, outline, kind] = clients ? CLIENTS : STATES[state] ?? BINDING;
  const notch = receives(node), line = k >= TWO, bad = trouble(node, facts);
  const d = `M0 0H${w - 12}L${w} ${h / 2}L${w - 12} ${h}H0${notch ? `L12 ${h / 2}` : ""}z`;
  const lead = notch ? 20 : 10, words = clients ? "for clients" : state;
  return `<path class="channel ${kind}" d="${d}"/>${clusterTag(node, w - 16, k)}${k >= 0.8 ? sign(outline, letter, lead + 10, h / 2, kind, k) : ""}` +
    text(node.name, k >= 0.8 ? lead + 26 : lead, line ? h / 2 - 3 : h / 2 + 5, w - lead - (k >= 0.8 ? 40 : 18), 12, "mono strong", k, NAMED) +
    (line ? text(words, k >= 0.8 ? lead + 26 : lead, h / 2 + 14, w - lead - (k >= 0.8 ? 40 : 18), 11.5, bad ? "alarm" : "mute", k, SECOND) : bad ? pill(bad, w - 14, 0, k)[0] : "");
}

/** Whether a program has ended, by itself or with its queue manager. */
const goneOf = (node, facts) => facts(node.id) === false || (!node.client && facts(node.qmgr) === false);

function programCard(node, w, h, k, facts) {
  const ended = goneOf(node, facts);
  const icon = `<path class="person" d="M13 ${h / 2 - 7}h14v13h-14zM13 ${h / 2 - 3}h14"/>`;
  return `${rect(ended ? "program ended" : "program", 0, 0, w, h, h / 2)}${ended && (k >= 0.9 || !tracesOf(node, facts).length) ? pill("ended", w - 12, 0, k, "tag")[0] : ""}${k >= 0.8 ? icon : ""}${text(node.manager ?? node.name, k >= 0.8 ? 34 : 14, h / 2 + 4.5, w - (k >= 0.8 ? 44 : 24), 12.5, "mono strong", k, NAMED)}`;
}

function cardSvg(box, k, facts, time) {
  const { node, w, h } = box;
  if (node.kind === "queue") return queueCard(node, w, h, k, facts, time);
  if (node.kind === "channel") {
    const doubt = facts(node.id)?.[2], words = `${doubt} in doubt`;
    return channelCard(node, w, h, k, facts) + footTags([...(doubt ? [["why", words, words]] : []), ...tracesOf(node, facts)], w, h, k);
  }
  if (node.kind === "topic") return topicCard(node, w, h, k);
  if (node.kind === "program") return programCard(node, w, h, k, facts) + footTags(tracesOf(node, facts), w, h, k, 20);
  if (node.kind === "stack") {
    const bad = node.of.map((each) => [each.name, trouble(each, facts)]).filter(([, word]) => word), { messages } = census(node.of, facts), words = messages ? plural(messages, "message") : `${node.of[0].name} …`;
    return rect("card back", 5, 5, w - 5, h - 5, 6) + rect("card", 0, 0, w - 5, h - 5, 6) + text(node.name, 12, k < 0.9 && !messages ? h / 2 + 3 : 18, w - 26, 12.5, "strong", k, 20) + (alarmLines(bad, 12, 34, w - 26, k) || text(words, 12, 34, w - 26, 11, messages ? "live-word" : "mono mute", k));
  }
  return rect("ghost", 0, 0, w, h, h / 2) + text(node.name, 16, h / 2 + 4.5, w - 30, 12.5, "mute", k, 20);
}

/** A triangle that ends at x, if there are alarms. */
const warning = (x, y, alarms) => (alarms.length ? `<g class="warning"><path d="M${x - 20} ${y + 9}l10 -17l10 17z"/></g>` : "");

/** Alarms in words, one on each of at most `most` lines; the last says the rest, or how many there are besides. */
function alarmLines(alarms, x, y, room, k, most = 1, apart = 0) {
  const size = legible(12, k, NAMED), fits = (words) => widthOf(words, false) * size <= room, said = alarms.map((each) => each.join(" "));
  return !size ? "" : alarms.slice(0, most).map(([name, word], place) => {
    const others = place === most - 1 ? said.slice(most) : [], rest = ` ${word}${others.length ? `, ${others.length} more` : ""}`, far = name.replace("link to ", ""), words = [[said[place], ...others].join(", "), name + rest, far + rest, name].find(fits) ?? fitting(far, room, size);
    return `<text class="alarm" x="${tenth(x)}" y="${tenth(y + apart * place)}" font-size="${tenth(size)}">${escaped(words)}</text>`;
  }).join("");
}

/** How many objects these are, in words. */
const inWords = (objects) => plural(objects.length, objects.every(({ kind }) => kind === objects[0].kind) ? objects[0]?.kind ?? "object" : "object");

/** What a queue manager or a coupling facility is called, from afar in fewer words. */
const titleOf = (room, k) => (room.facility ? `${room.id} · ${k < 0.9 ? "" : "coupling "}facility` : room.platform === "everyplace" ? `${room.id} · queue manager` : room.id);

/** That members of clusters know a queue manager as suspended, in words; "" if they do not. */
function suspension(room, facts) {
  const clusters = haltsOf(room.id, facts).join(", ");
  return clusters && (clusters === room.clusters ? "suspended" : `suspended in ${clusters}`);
}

/** The clusters of which a queue manager is a full repository, and whether it is suspended, behind its title at x, y, as
 *  far as there is room. */
function clusterRole(room, facts, title, x, y, right, size, k, most) {
  const of = room.repository !== room.clusters ? ` of ${shortened(room.repository ?? "", 18)}` : "", from = x + widthOf(title, false) * legible(size, k, most) * 1.06 + 10, out = suspension(room, facts);
  for (const role of room.repository ? [`full repository${of}`, "full repository", "repository", out ? "" : "R"] : [""]) {
    const words = [role, out].filter(Boolean).join(", "), [drawn, wide] = words ? pill(escaped(words), 0, 0, k, "tag", 40) : ["", 0];
    if (drawn && from + wide <= right) return `<g class="repository" transform="translate(${tenth(from + wide)} ${tenth(y + legible(LEAST, k, 20) * 0.3)})">${drawn}</g>`;
  }
  return "";
}

function roomSvg(box, k, facts, time, model) {
  const { room, w, h } = box, all = [...(room.structures ?? []), ...room.objects].filter((node) => exists(node, facts)), here = census(all, facts), ended = facts(room.id) === false;
  const alarms = alarmsOf(model, [room, ...all], facts).filter(([, word]) => word !== "ended"), bad = alarms.length > 0;
  const title = titleOf(room, k), held = here.held ? `${counted(here.held)} held` : "", messages = here.messages ? plural(here.messages, "message") : here.queues ? "no messages" : "";
  if (box.type === "closed") {
    const size = legible(15, k, 40), low = k < 0.84, [top, second, third] = alarms.length > 1 ? [23, 43, 82] : k < 0.8 ? [36, 58, 78] : [28, 49, 70];
    return rect(`room closed${ended ? " bad" : ""}`, 0, 0, w, h, 9) + text(title, 16, top, w - (bad ? 62 : 30), 15, "title", k, 40) +
      (alarmLines(alarms, 16, second, w - 24, k, 2, 19) || text(`${plural(here.queues, "queue")}${here.channels && k > 0.9 ? ` · ${plural(here.channels, "channel")}` : ""}`, 16, second, w - 24, 12, "mute", k, 18)) +
      text(wholeParts([here.messages || !held ? messages : "", held], w - (low ? 28 : 50), legible(12.5, k, NAMED)), 16, third, w - (low ? 24 : 50), 12.5, here.messages ? "live-word" : "mute", k, NAMED) + warning(w - 12, 16, alarms) +
      (ended ? pill("ended", w - 12, 0, k)[0] : "") + clusterRole(room, facts, title, 16, top - 5, w - (bad ? 50 : 12), 15, k, 40) + (size && k >= 0.84 ? text("+", w - 26, 74, 20, 18, "mute", k) : "");
  }
  const parts = [PLATFORMS[room.platform] ?? "", plural(here.queues, "queue"), here.channels ? plural(here.channels, "channel") : "", held ? `${messages}, ${held}` : messages, room.listens ? `listens on ${room.listens}` : ""];
  return rect(`room${ended ? " bad" : ""}`, 0, 0, w, h, 10) + text(title, SIDE, 27, w - 2 * SIDE - (bad ? 46 : 0), 16, "title", k, 26) +
    text(wholeParts(parts, w - 2 * SIDE - (bad ? 40 : 0), legible(11.5, k, SECOND)), SIDE, 44, w - 2 * SIDE, 11.5, "mute", k, SECOND) +
    (ended ? pill("ended", w - 14, 0, k)[0] : "") + clusterRole(room, facts, title, SIDE, 22, w - (ended || bad ? 70 : 14), 16, k, 26) + (box.w > 260 ? warning(w - 14, 20, alarms) : "");
}

/** As many of some words as there is room for, none of them cut: the last goes first. */
function wholeParts(parts, room, size) {
  const some = parts.filter(Boolean), said = () => some.join(" · ");
  while (some.length > 1 && widthOf(said(), false) * size > room) some.pop();
  return said();
}

/** The clusters that a frame is for, only by their names where there is no room for more. */
function frameTitle({ title, w, several }, k) {
  const most = 24 + 16 * (k < 0.84), size = legible(15, k, most);
  const whole = `${several ? "clusters" : "cluster"} ${title}`;
  return text(widthOf(whole, false) * size * 1.06 > w - 32 ? title : whole, 18, 28, w - 32, 15, "title", k, most);
}

function structureSvg(box, k, facts) {
  const { node, w, h } = box, failed = facts(node.id) === "FAILED";
  return rect(`structure${failed ? " bad" : ""}`, 0, 0, w, h, 9) + text(node.name, 14, 24, w / 2, 13, "title", k, NAMED) +
    text(node.recoverable ? "can be recovered" : "cannot be recovered", 20 + widthOf(node.name, false) * 14.5, 24, w - 30 - widthOf(node.name, false) * 14.5, 11.5, "mute", k) + (failed ? pill("failed", w - 12, 0, k)[0] : "");
}

function chipSvg(box, k, facts, time, model) {
  const { family, w, h } = box, some = family.objects.filter((node) => exists(node, facts)), here = census(some, facts), alarms = alarmsOf(model, some, facts);
  const size = legible(12.5, k, 20), words = here.messages ? counted(here.messages) : "", wide = widthOf(words, false) * size * 1.1 + (words ? 8 : 0);
  const two = k >= 0.84, title = `${family.zone === "out" ? "→ " : ""}${family.title}`, named = !two && alarms.map(([name]) => name).join(", "), right = w - 12 - wide - (alarms.length ? 18 : 0);
  return rect(`chip${alarms.length ? " bad" : ""}`, 0, 0, w, h, 7) + text(named || title, 11, two ? 16 : h / 2 + 4.5, right - 11, 12, named ? "alarm" : /[a-z]/.test(family.title) ? "strong" : "mono strong", k, NAMED) + // text: an id
    (alarms.length ? `<path class="warn" d="M${tenth(right + 3)} ${h / 2 + 6}h13l-6.5 -12z"/>` : "") +
    (words ? text(words, w - 10, h / 2 + 4.5, wide + 8, 12.5, "live-word", k, 20, "end") : "") +
    (two ? alarmLines(alarms, 11, 30.5, right - 11, k) || text(inWords(some), 11, 30.5, right - 11, 11, "mute", k, 13.2) : "");
}

const DRAW = {
  card: cardSvg, room: roomSvg, closed: roomSvg, structure: structureSvg, chip: chipSvg,
  group: (box, k) => rect("group", 0, 0, box.w, box.h, 14) + text(`${box.title} · queue sharing group`, 18, 28, box.w - 36, 15, "title", k, 24),
  cluster: (box, k) => rect("cluster", 0, 0, box.w, box.h, 14) + frameTitle(box, k),
  site: (box, k) => rect("site", 0, 0, box.w, box.h, 14) + text(box.title, 18, 28, box.w - 32, 15, "title", k, 40),
  note: (box, k) => rect("note", 0, 0, box.w, box.h, 4) + box.lines.map((line, place) => text(line, 8, 17 + NOTE * place, box.w - 12, 11.5, "note-word", k, 18)).join(""),
  panel: (box, k, facts) => rect("panel", 0, 0, box.w, box.h, 8) + text(`${box.family.zone === "out" ? "→ " : ""}${box.family.title}`, 14, 26, box.w - 130, 13.5, "title mono", k, 24) + text(inWords(box.family.objects.filter((node) => exists(node, facts))), box.w - 14, 26, 100, 12, "mute", k, 13, "end"),
  zone: (box, k) => text(box.title, 2, 14, box.w, 12, "mute", k, 18),
  rest: (box, k) => rect("ghost", 0, 0, box.w, box.h, 7) + text(box.title, 12, box.h / 2 + 4.5, box.w - 20, 12, "mute", k, 20),
  stacked: (box, k, facts, time, model) => {
    const { members } = box.stack, all = members.flatMap((room) => room.objects).filter((node) => exists(node, facts)), here = census(all, facts);
    const alarms = members.flatMap((room) => alarmsOf(model, [room, ...room.objects], facts).map(([, word]) => [room.id, word]));
    return rect("room closed back", 8, 8, box.w - 8, box.h - 8, 9) + rect("room closed", 0, 0, box.w - 8, box.h - 8, 9) + text(`${members.length} like ${members[0].id}`, 16, k < 0.8 ? 36 : 28, box.w - 40, 14.5, "title", k, 36) +
      (alarmLines(alarms, 16, k < 0.8 ? 58 : 49, box.w - 34, k) || text(plural(all.length, "object"), 16, k < 0.8 ? 58 : 49, box.w - 34, 12, "mute", k, 18)) + text(here.messages ? plural(here.messages, "message") : "no messages", 16, k < 0.8 ? 76 : 70, box.w - 34, 12.5, here.messages ? "live-word" : "mute", k, NAMED) + warning(box.w - 20, 16, alarms);
  },
};

/** What a box is, in a sentence for those who hear it. */
function saidOf(box, facts, time) {
  if (box.room) {
    const here = census(box.room.objects.filter((node) => exists(node, facts)), facts), kind = box.room.facility ? "Coupling facility of" : "Queue manager";
    const repository = box.room.repository ? `, full repository of ${box.room.repository}` : box.room.clusters ? `, in ${box.room.clusters}` : "";
    return `${kind} ${box.room.id}${repository}: ${plural(here.queues, "queue")}, ${plural(here.channels, "channel")}, ${plural(here.messages, "message")}${here.troubled ? `, ${here.troubled} in trouble` : ""}${[suspension(box.room, facts), facts(box.room.id) === false && "ended"].filter(Boolean).map((word) => `, ${word}`).join("")}`;
  }
  if (box.stack) return `${box.stack.members.length} queue managers like ${box.stack.members[0].id}`;
  if (box.family) return `${box.family.zone === "out" ? "Route to " : "Family "}${box.family.title}: ${plural(box.family.objects.length, "object")}`;
  const { node } = box;
  if (!node) return box.title;
  const left = tracesOf(node, facts).map(([, words]) => `. ${words}`).join("");
  return saidOfNode(node, facts, time) + left;
}

/** What an object is, in a sentence. */
function saidOfNode(node, facts, time) {
  if (node.kind === "program") return `${node.manager ?? node.name}: ${node.manager ? "by itself" : "application"}${goneOf(node, facts) ? ", ended" : ""}`;
  if (node.kind === "topic") return `${node.name}: topic ${node.about}`;
  if (node.kind === "structure") return `${node.name}: coupling facility structure${facts(node.id) === "FAILED" ? ", failed" : ""}`;
  if (node.kind === "channel") {
    const [state, partner, doubt] = facts(node.id) ?? ["INACTIVE", "", 0];
    return `${node.name}: channel${partner ? ` ${sends(node) ? "to" : "from"} ${partner}` : ""}, ${state}${doubt ? `, ${doubt} in doubt` : ""}`;
  }
  if (node.kind !== "queue") return node.name;
  const now = queueNow(facts(node.id)), about = `${node.name}: ${SIGNS[typeOf(node, facts)][2]}${node.target ? ` for ${node.target}` : ""}${node.instances > 1 ? `, 1 of ${node.instances} in ${node.cluster}` : ""}${node.about ? ` (${node.about})` : ""}`;
  const stops = `${now.put ? "" : ". Puts are inhibited"}${now.get ? "" : ". Gets are inhibited"}`;
  if (NAMES_ONLY.has(node.type)) return about + stops;
  const live = Math.max(0, now.depth - now.expired - now.uncommitted), bad = trouble(node, facts);
  return `${about}. ${plural(now.depth, "message")} of ${now.most ? counted(now.most) : "any number"}: ${live} available, ${now.uncommitted} not committed, ${now.expired} expired and still counted${now.held ? `, besides ${counted(now.held)} held by ${now.holder} in uncommitted gets` : ""}${now.runs.length ? `; in order ${saidRuns(runsOf(now, 0, time, bad === "structure failed"))}` : ""}${bad ? `. ${bad}` : ""}${stops}`;
}

const ORDER = { group: 0, cluster: 0, site: 0, note: 4, room: 1, closed: 4, stacked: 4, structure: 3, panel: 3, zone: 4, chip: 4, rest: 4, card: 5 };

/** How a line looks: its kind, or the state of the channels and links that it stands for. */
function lookOf(model, line, facts) {
  const talks = line.of.filter((edge) => edge.kind === "talks"), states = talks.flatMap((edge) => [edge.source, edge.target]).map((id) => facts(id)?.[0]);
  if (line.of.every((edge) => isCut(model, edge, facts))) return "cut";
  if (!talks.length) return (line.of.find((edge) => standing(model, edge, facts)) ?? line.of[0]).kind;
  return states.includes("RUNNING") && !states.some((state) => TROUBLED.has(state)) ? "run" : "talks"; // red is for a cut link
}

/** How a line stands at a moment: as the first of its edges that is in use, else as the first that is there. */
function standingOf(model, line, facts) {
  const found = line.of.map((edge) => standing(model, edge, facts)).filter(Boolean);
  return found.find((each) => !each.off) ?? found[0] ?? null;
}

/** The words of the sign of a line on which something does not go on, "" if all goes on or the card of the channel says it. */
function haltOf(model, line, facts) {
  const cards = line.id.split(">"), cut = line.of.filter((edge) => isCut(model, edge, facts)), ends = new Set(cut.flatMap(({ source, target }) => [roomOf(model, source), roomOf(model, target)]));
  if (cut.length) return cut.length === line.of.length ? "cut" : `${[...ends].filter((id) => !cards.includes(id)).join(", ")} cut`;
  const halts = line.of.map((edge) => [edge, standing(model, edge, facts)]).filter(([edge, now]) => now?.word && !cards.includes(edge[now.at]));
  if (!halts.length) return "";
  const [[edge, { word, at }]] = halts;
  return halts.length > 1 ? `${halts.length} channels ${word}` : line.of.length > 1 ? `${model.nodes.get(edge[at]).name} ${word}` : word;
}

/** A drawn box in a color of one's own: its outline, and a tint behind its words. */
const tinted = (svg, color) => (color ? svg.replace(/<(?:rect|path) class="(?!card back|room closed back)[^>]*>/, (shape) => `${shape}${shape.replace(/class="[^"]*"/, `class="own" style="color:${color[0] === "#" ? color : `var(--mq-${color.replace(/_/g, "-")})`}"`)}`) : svg);

const there = (box, facts) => (box.type === "note" ? facts(box.id.slice(5)) !== null : box.node && !box.node.of && box.node.kind !== "more" ? exists(box.node, facts) : true);

/** So many more or fewer messages, or things called otherwise, with a sign. */
const moreOf = (number, words = Math.abs(number) === 1 ? "message" : "messages") => `${number > 0 ? "+" : "−"}${counted(Math.abs(number))} ${words}`;

/** How an object differs from what it is in another future, in a few words for a badge; "" if it does not. */
function differsOf(node, facts, rival) {
  const mine = facts(node.id), theirs = rival(node.id);
  if ((mine === null) !== (theirs === null)) return mine === null ? "" : "only here";
  if (node.kind === "queue") {
    const one = queueNow(mine), other = queueNow(theirs), by = (name) => one[name] - other[name];
    if (by("depth")) return moreOf(by("depth"));
    const [name, words] = [["expired", "expired"], ["uncommitted", "not committed"], ["held", "held by gets"]].find(([each]) => by(each)) ?? [];
    if (name) return moreOf(by(name), words);
    if (one.most !== other.most) return `limit ${one.most ? counted(one.most) : "none"}`;
    return by("put") || by("get") ? "differs" : "";
  }
  if (node.kind === "channel") return (mine?.[0] ?? "INACTIVE") === (theirs?.[0] ?? "INACTIVE") ? "" : mine?.[0] ?? "INACTIVE";
  return JSON.stringify(mine) === JSON.stringify(theirs) ? "" : { true: "runs", false: "ended" }[mine] ?? "differs";
}

/** The objects that a box stands for: a card's own, a queue manager alone where its cards are drawn, else all inside. */
function insideOfBox({ node, type, room, family, stack }) {
  if (node) return node.of ?? (node.kind === "more" ? [] : [node]);
  if (room) return type === "room" ? [room] : [room, ...room.objects];
  return family ? (type === "panel" ? [] : family.objects) : stack?.members.flatMap((each) => [each, ...each.objects]) ?? [];
}

/** The badge of a box with what differs in it from another future, "" for nothing. */
function versus(box, facts, rival, k) {
  const nodes = insideOfBox(box), found = nodes.map((node) => differsOf(node, facts, rival)).filter(Boolean);
  if (!found.length) return "";
  const by = census(nodes, facts).messages - census(nodes, rival).messages;
  const words = found.length === 1 ? found[0] : by ? moreOf(by) : `${found.length} differ`;
  const below = box.h + 3 + legible(LEAST, k, 40) * 0.55; // its upper edge has other pills, and headings above it
  return rect("differs", -3, -3, box.w + 6, box.h + 6, 10) + pill(words, box.w - 4, below, k, "differs", 40)[0];
}

/** The pieces of a picture, from the back to the front: {key, kind, svg, x, y, box or line}; what does not exist yet has
 *  none. With `rival`, the facts of another future, what differs there is marked. */
function piecesOf(model, scene, facts, k, time, rival = null) {
  const boxes = scene.boxes.filter((box) => there(box, facts)).sort((a, b) => ORDER[a.type] - ORDER[b.type]);
  const piece = (box) => ({ key: box.id, kind: box.type, x: tenth(box.x), y: tenth(box.y), box, svg: tinted(DRAW[box.type](box, k, facts, time, model), model.look.colors[box.id]) + (rival ? versus(box, facts, rival, k) : "") });
  const lines = scene.lines.filter((line) => line.points.length > 1 && standingOf(model, line, facts)).map((line) => ({ key: line.id, kind: "line", x: 0, y: 0, line, svg: lineSvg(model, line, facts, k, rival && (lookOf(model, line, facts) !== lookOf(model, line, rival) || standingOf(model, line, facts).off !== standingOf(model, line, rival)?.off)) }));
  return [...boxes.filter((box) => ORDER[box.type] < 4).map(piece), ...lines, ...boxes.filter((box) => ORDER[box.type] >= 4).map(piece)];
}

function lineSvg(model, line, facts, k, differs = false) {
  const look = lookOf(model, line, facts), { off, why, at } = standingOf(model, line, facts), here = line.of.filter((edge) => standing(model, edge, facts));
  const { label } = line, gate = gateOf(line, facts), halted = label && gate.length && gateBox(label, gate, k), points = halted ? upTo(line.points, halted) : line.points;
  const d = pathOf(points), idle = off && look !== "cut" && look !== "bad" ? " idle" : "", tip = { cut: "bad", bad: "bad", run: "run", puts: "puts", subscribes: "puts", gets: "gets", transmits: "puts", delivers: "puts", pulls: "gets", backout: "hollow" }[look] ?? "plain", n = here.length;
  const width = n > 1 ? ` style="stroke-width:${tenth(Math.min(4, 1.6 + Math.log2(n) * 0.5))}"` : "";
  const heads = halted ? "" : arrowheads(line, tip + idle) + (off === "stop" && look !== "cut" ? barOf(line.points, line.alone || at) : "");
  let said = "";
  if (halted) {
    const { x, y, w, h } = halted, first = y + h / 2 + 4.5 - 8.5 * (gate.length - 1);
    said = rect("label halted", x, y, w, h, 9) + noEntry(x + 16, y + h / 2) + gate.map((each, i) => text(each, x + 32, first + 17 * i, w - 36, 12, "alarm", k, 20)).join("");
  } else if (label && k >= 0.7 && here[0].kind !== "connects") {
    const size = Math.max(12, LEAST / k);
    said = rect("label", label.x, label.y, label.w, label.h, 5) + text(label.text, label.x + 7, label.y + 15, label.w - 12, size, "mono mute", k);
  }
  const halt = haltOf(model, line, facts);
  if (halt && (look !== "cut" || line.last)) {
    const [x, y, level, across] = signPlace(line), [drawn, wide] = pill(escaped(halt), 0, 0, k, "alarm", 40);
    if (look === "cut" || !across || across > wide) said += `<g transform="translate(${tenth(x + wide / 2)} ${tenth(level ? y - 8 : y + 4)})">${drawn}</g>`; // over a level line, whose name is below
  }
  const { source, target, kind } = here[0], name = (id) => model.nodes.get(id).name ?? id, moved = kind === "backout" ? "; a program moves messages there, the queue manager does not" : "";
  const told = (n === 1 ? `${name(source)} ${EDGES[kind]} ${name(target)}${moved}` : `${n} lines`) + (why ? ` (${why})` : "");
  return `<title>${escaped(told + (look === "cut" ? ", the link is cut" : halt ? `, ${halt}` : ""))}</title><path class="touch" d="${d}"/><path class="halo${differs ? " differs" : ""}" d="${d}"/><path class="way ${look}${idle}" d="${d}"${width}/>${heads}${said}`;
}

/** What keeps the client of a line outside, in lines of words; none for nothing. */
const gateOf = (line, facts) => (line.of[0].kind === "connects" ? haltsOf(line.of[0].source, facts) : []);

/** The box around these words, in the middle of the room that a label has. */
function gateBox({ x, y, w, h }, said, k) {
  const wide = Math.min(w, 46 + Math.max(...said.map((each) => widthOf(each, false))) * legible(12, k, 20) * 1.1);
  return { x: x + (w - wide) / 2, y, w: wide, h };
}

/** The sign at which a client stops. */
const noEntry = (x, y) => sign(STATES.STOPPED[1], "", x, y, "stop", 1) + `<path class="no-entry" d="M${tenth(x - 5)} ${tenth(y)}h10"/>`;

/** The corners of a line up to its label, which lies on it. */
function upTo(points, { x, y, w, h }) {
  for (let i = 1; i < points.length; i++) {
    const [ax, ay] = points[i - 1], [bx, by] = points[i], across = Math.min(ax, bx) < x + w && Math.max(ax, bx) > x, down = Math.min(ay, by) < y + h && Math.max(ay, by) > y;
    if (across && down) return [...points.slice(0, i), ax === bx ? [ax, ay < by ? y : y + h] : [ax < bx ? x : x + w, ay]];
  }
  return points;
}

/** Where the sign of a line stands, [x, y, whether it is level there, how far it goes across if it slants]: near its own end. */
function signPlace({ points, alone, fewer }) {
  const [[x, y], [fx, fy]] = (alone || fewer) === "source" ? points : [points[points.length - 1], points[points.length - 2]];
  const long = Math.hypot(x - fx, y - fy) || 1, across = y === fy ? 0 : Math.abs(x - fx), level = Math.abs(x - fx) > Math.abs(y - fy);
  const far = across && across < 80 && !level ? long / 2 : Math.min(level ? 34 : 22, long);
  return [x + ((fx - x) / long) * far, y + ((fy - y) / long) * far, level, across];
}

/** A bar across a line, near the end where nothing goes on. */
function barOf(points, at) {
  const [[x, y], [fx, fy]] = at === "source" ? points : [points[points.length - 1], points[points.length - 2]];
  const long = Math.hypot(x - fx, y - fy) || 1, dx = (fx - x) / long, dy = (fy - y) / long, far = Math.min(at === "source" ? 8 : 13, long / 2), [mx, my] = [x + dx * far, y + dy * far];
  return `<path class="bar" d="M${tenth(mx - 8 * dy)} ${tenth(my + 8 * dx)}L${tenth(mx + 8 * dy)} ${tenth(my - 8 * dx)}"/>`;
}

/** Arrowheads drawn out, without ids that two pictures of a page could share. */
function arrowheads(line, tip) {
  const head = ([x, y], [fx, fy]) => {
    const long = Math.hypot(x - fx, y - fy) || 1, dx = (x - fx) / long, dy = (y - fy) / long;
    return `<path class="tip ${tip}" d="M${tenth(x)} ${tenth(y)}L${tenth(x - 8 * dx - 4 * dy)} ${tenth(y - 8 * dy + 4 * dx)}L${tenth(x - 8 * dx + 4 * dy)} ${tenth(y - 8 * dy - 4 * dx)}z"/>`;
  };
  const { points } = line, last = points.length - 1;
  if (line.of.every((edge) => edge.kind === "link")) return "";
  if (line.pulled) return head(points[0], points[1]) + gripOf(points, tip);
  return head(points[last], points[last - 1]) + (line.both ? head(points[0], points[1]) : "");
}

/** A ring near the end of a line from which something pulls. */
function gripOf([[x, y], [fx, fy], next], tip) {
  let long = Math.hypot(fx - x, fy - y) || 1, far = 16;
  if (long < 22 && next) [x, y, fx, fy, far] = [fx, fy, ...next, 14]; // beyond the arrowhead, and beyond the corner
  long = Math.hypot(fx - x, fy - y) || 1;
  return `<circle class="grip ${tip}" cx="${tenth(x + ((fx - x) / long) * far)}" cy="${tenth(y + ((fy - y) / long) * far)}" r="4"/>`;
}

/** The corners from one object to another along the line that is drawn, and its key; null where none is. */
function lineTo(scene, source, target) {
  const [a, b] = [source, target].map((id) => scene.where[id] ?? id), line = scene.lines.find(({ id }) => id === `${a}>${b}`);
  const back = scene.lines.find(({ id, both, pulled }) => (both || pulled) && id === `${b}>${a}`);
  return line ? [line.points, line.id] : back ? [back.points.slice().reverse(), back.id] : null;
}

/** The point at a share of the length of corners. */
function alongOf(points, share) {
  let left = total(points.slice(1).map((point, i) => [points[i], point]), ([a, b]) => Math.hypot(b[0] - a[0], b[1] - a[1])) * share;
  for (let i = 1; i < points.length; i++) {
    const [ax, ay] = points[i - 1], [bx, by] = points[i], long = Math.hypot(bx - ax, by - ay);
    if (long >= left) return [ax + (bx - ax) * (left / (long || 1)), ay + (by - ay) * (left / (long || 1))];
    left -= long;
  }
  return points[points.length - 1];
}

/** The signs that a picture uses, each [SVG in a box of 24 by 20, words], for its key. */
function keyOf(model, scene, facts, time) {
  const boxes = scene.boxes.filter((box) => there(box, facts) && box.node), kinds = new Set(boxes.map(({ node }) => typeOf(node, facts)).filter((kind) => SIGNS[kind]));
  const states = new Set(boxes.filter(({ node }) => node.kind === "channel" && node.chltype !== "SVRCONN").map(({ node }) => facts(node.id)?.[0] ?? "INACTIVE"));
  const messages = new Set(boxes.filter(({ node }) => node.kind === "queue").flatMap(({ node }) => queueNow(facts(node.id)).messages.map((each) => stateOf(each, time, node.structure && facts(node.structure) === "FAILED"))));
  const bodies = boxes.filter(({ node }) => node.kind === "queue").flatMap(({ node }) => queueNow(facts(node.id)).messages);
  const left = new Set(boxes.flatMap(({ node }) => tracesOf(node, facts).map(([kind]) => kind)));
  const drawn = scene.lines.flatMap((line) => line.of.map((edge) => [edge.kind, standing(model, edge, facts)])).filter(([, stands]) => stands);
  const looks = new Set(drawn.map(([kind]) => kind)), offs = new Set(drawn.map(([, stands]) => stands.off));
  return [
    ...Object.keys(SIGNS).filter((kind) => kinds.has(kind)).map((kind) => [sign(SIGNS[kind][1], SIGNS[kind][0], 12, 10, "", 1), SIGNS[kind][2]]),
    ...Object.keys(MESSAGE_STATES).filter((state) => messages.has(state)).map((state) => [`<g class="message ${state}">${rect("wick", 5, 1, 14, 18, 2.5)}${rect("life", 6, 8, 12, 10, 1.5)}</g>`, `message: ${MESSAGE_STATES[state]}`]),
    ...[true, false].filter((kept) => bodies.some((each) => each[6] === kept)).map((kept) => [`<g class="message live">${candle(3, 2, 18, 15, 13, kept)}</g>`, kept ? "persistent message" : "nonpersistent message"]),
    ...(boxes.some(({ node }) => node.kind === "queue" && queueNow(facts(node.id)).depth > FRONT) ? [['<text class="mono digit" x="12" y="14" font-size="12" text-anchor="middle">×14</text>', "14 more messages in one state"]] : []),
    ...(bodies.some((each) => each[7]) ? [['<text class="mono backs" x="12" y="14" font-size="12" text-anchor="middle">↩2</text>', "BackoutCount of a message: 2"]] : []),
    ...Object.keys(TRACES).filter((kind) => left.has(kind)).map((kind) => [`<g class="foot ${kind}"><path class="glyph" transform="translate(12 10)" d="${TRACES[kind][0]}"/></g>`, `event: ${TRACES[kind][2]}`]),
    ...[...states].sort().map((state) => { const [letter, outline, kind] = STATES[state] ?? BINDING; return [sign(outline, letter, 12, 10, kind, 1), `channel: ${state}`]; }),
    ...(boxes.some(({ node }) => node.chltype === "SVRCONN") ? [[sign(CLIENTS[1], CLIENTS[0], 12, 10, "", 1), "channel for clients"]] : []),
    ...Object.keys(EDGES).filter((kind) => looks.has(kind)).map((kind) => [`<path class="way ${kind}" d="M0 10H24"/>`, KEY_WORDS[kind]]),
    ...(scene.lines.some((line) => gateOf(line, facts).length) ? [[noEntry(12, 10), "the client was refused here, by this record"]] : []),
    ...(offs.has("idle") ? [['<path class="way idle" d="M0 10H24"/>', "its program or channel does not run"]] : []),
    ...(offs.has("stop") ? [[`<path class="way idle" d="M0 10H24"/>${barOf([[0, 10], [24, 10]], "target")}`, "nothing goes past this bar"]] : []),
  ];
}

/** One whole picture as SVG text without its style, for places without a script. */
function pictureOf(model, scene, facts, k, time, rival = null) {
  return piecesOf(model, scene, facts, k, time, rival).map(({ key, kind, x, y, svg, box }) =>
    `<g class="${kind === "line" ? "line" : "box"}" data-part="${escaped(key)}"${x || y ? ` transform="translate(${x} ${y})"` : ""}>${box ? `<title>${escaped(saidOf(box, facts, time))}</title>` : ""}${svg}</g>`).join("");
}
