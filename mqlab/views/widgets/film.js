// A film of the chapter that a player shows (GIF), as mqlab/views/takeaway/film.py makes it, with gifenc.

const FILM_LIMIT = 2_000_000; // bytes
const MOST_STEPS = 40; // of a film: of more, those that explain least are left out
const MOST_COLORS = 63; // and one that lets the frame before be seen
const FLIES = 5; // frames of a message on its way
const WIDEST_FILM = 1000; // pixels

/** The steps to film: those of the chapter shown at which something moves, changes, or is explained. */
function filmed({ recording, position }) {
  const starts = [0, ...recording.chapters.map(([step]) => step), recording.length], from = starts.findLast((step) => step <= position);
  const part = Array.from({ length: starts.find((step) => step > position) - from }, (_, at) => from + at);
  const moving = part.filter((n) => recording.story.has(n) || recording.steps.ways[n].length), stops = part.filter((n) => recording.story.has(n));
  const told = moving.length > MOST_STEPS && stops.length ? stops : moving.length ? moving : [from], many = Math.min(MOST_STEPS, told.length);
  return Array.from({ length: many }, (_, at) => told[Math.floor((at * told.length) / many)]);
}

/** The time, the chapter, and the sentence of a step, in three lines. */
function subtitled(player, n, wide) {
  const { recording } = player, chapter = recording.chapter(n), said = recording.steps.kind[n] === "chapter" ? chapter[2] : sentence(recording.told(n));
  const words = said.split(" "), lines = ["", ""];
  for (const word of words) lines[lines[1] || widthOf(`${lines[0]} ${word}`, false) * 13 > wide ? 1 : 0] += `${word} `;
  return [[`${recording.clock(recording.steps.time_us[n], 0)}  ${chapter?.[1] ?? ""}`, 15, "title"], ...lines.map((line) => [line.trim(), 13, "said"])];
}

/** How long a step is seen, in milliseconds. */
const seenFor = ({ kind, sort }, n) => (kind[n] === "chapter" ? 3200 : sort[n] ? 2200 : 1000);

/** The picture before step `n` with the message of the step on its way, at shares of the way; nothing if nothing moves. */
function* flying(player, before, n, scale) {
  const { recording: { steps }, canvas } = player, colors = colorsAt(player.root), number = String(steps.message[n]), high = captionHeight(3);
  const ways = steps.ways[n].map((key) => canvas.wayOf(...key.split(">"))).filter(Boolean).map(([d]) => s("path", { d })), total = ways.reduce((sum, way) => sum + way.getTotalLength(), 0);
  for (let place = 1; total && place <= FLIES; place++) {
    const paper = h("canvas", { width: before.width, height: before.height }), pen = paper.getContext("2d", { willReadFrequently: true }), wide = 9 + 3.4 * number.length;
    let left = (place / (FLIES + 1)) * total, at = 0;
    while (at < ways.length - 1 && left > ways[at].getTotalLength()) left -= ways[at++].getTotalLength();
    const { x, y } = ways[at].getPointAtLength(left);
    pen.drawImage(before, 0, 0);
    pen.setTransform(scale, 0, 0, scale, x * scale, (y + high) * scale);
    pen.beginPath();
    if (steps.persistent[n]) pen.rect(-wide, -10, 2 * wide, 20); else pen.ellipse(0, 0, wide, 11, 0, 0, 2 * Math.PI);
    Object.assign(pen, { fillStyle: colors.ink, strokeStyle: colors.paper, lineWidth: 2, font: "600 12px monospace", textAlign: "center", textBaseline: "middle" });
    pen.fill(); pen.stroke();
    pen.fillStyle = colors.paper;
    pen.fillText(number, 0, 1);
    yield paper;
  }
}

/** The film at a scale, as bytes. */
async function filmAt(player, steps, stills, scale) {
  const pixels = (paper) => paper.getContext("2d").getImageData(0, 0, paper.width, paper.height).data, ends = [0, stills.length >> 1, stills.length - 1];
  const some = await Promise.all(ends.map(async (at) => pixels(await paperOf(stills[at], scale)))), sheet = new Uint8ClampedArray(3 * some[0].length);
  some.forEach((each, at) => sheet.set(each, at * each.length));
  const palette = GIF.quantize(sheet, MOST_COLORS), same = palette.length, gif = GIF.GIFEncoder();
  let shown = null, before = null;
  const add = (paper, delay) => {
    const seen = GIF.applyPalette(pixels(paper), palette);
    gif.writeFrame(shown ? seen.map((color, at) => (color === shown[at] ? same : color)) : seen, paper.width, paper.height,
      { delay, dispose: 1, ...(shown ? { transparent: true, transparentIndex: same } : { palette: [...palette, [0, 0, 0]] }) });
    shown = seen;
  };
  for (const [at, n] of steps.entries()) {
    if (before) for (const paper of flying(player, before, n, scale)) add(paper, 110);
    before = await paperOf(stills[at], scale);
    add(before, seenFor(player.recording.steps, n));
  }
  gif.finish();
  return gif.bytes();
}

/** The chapter that is shown as a film of under 2 MB, smaller if it must be. */
async function filmOf(player) {
  const steps = filmed(player), wide = Math.max(480, player.canvas.scene.width), stills = steps.map((n) => stillOf(player, n, subtitled(player, n, wide - 28)));
  let bytes = null;
  for (const share of [1, 0.75, 0.5]) {
    bytes = await filmAt(player, steps, stills, share * Math.min(1, WIDEST_FILM / wide));
    if (bytes.length <= FILM_LIMIT) break;
  }
  return new Blob([bytes], { type: "image/gif" });
}
