// Where everything goes: ELK places the cards of each queue manager, then the queue managers, and runs the lines.

const LAYERED = {
  "elk.algorithm": "layered", "elk.edgeRouting": "ORTHOGONAL", "elk.randomSeed": "1", "elk.hierarchyHandling": "INCLUDE_CHILDREN",
  "elk.json.shapeCoords": "ROOT", "elk.json.edgeCoords": "ROOT",
  "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES", "elk.layered.cycleBreaking.strategy": "MODEL_ORDER",
  "elk.layered.thoroughness": "12", "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX",
  "elk.layered.nodePlacement.favorStraightEdges": "true", "elk.layered.spacing.nodeNodeBetweenLayers": "32",
  "elk.layered.spacing.edgeNodeBetweenLayers": "14", "elk.layered.spacing.edgeEdgeBetweenLayers": "9",
  "elk.spacing.nodeNode": "14", "elk.spacing.edgeNode": "12", "elk.spacing.edgeEdge": "9",
  "elk.padding": "[top=12,left=12,bottom=12,right=12]",
};
const LEAST_SIZES = { channel: [150, 44], program: [104, 32], topic: [130, 44], stack: [190, 46], more: [150, 32], closed: [196, 88], stacked: [204, 92] };
const DOWNWARD = { "elk.direction": "DOWN", "elk.layered.spacing.nodeNodeBetweenLayers": "46", "elk.layered.layering.strategy": "COFFMAN_GRAHAM", "elk.layered.layering.coffmanGraham.layerBound": "2", "elk.aspectRatio": "0.5" };
const COLUMN = { ...DOWNWARD, "elk.layered.layering.coffmanGraham.layerBound": "1" }; // queue managers on an upright screen
const CHIP = [196, 36], GAP = 8, ROWS = 11, HEAD = 54, SIDE = 18, ROW = 860; // pixels: a row of open families
const SMALLEST = 0.6; // of the real size: of clusters, which have many queue managers, less is open rather than so small
const APART = 40; // pairs of queue managers: with more of them lines may come together at an open one
const FITS = 0.84; // of the real size: above it everything can stay open, and text is 11 px or more

/** Whether a screen is that of a phone held upright: there everything goes down. */
const upright = (screen) => screen[0] < 560;

/** The size of a card, as wide as its words need while they are legible. */
function sized(node, most = 320) {
  const [least, high] = node.kind === "queue" ? [176, holds(node) ? 62 : 46] : LEAST_SIZES[node.kind];
  if (node.kind === "stack" || node.kind === "more") return { id: node.id, width: least, height: high };
  const words = Math.max((node.manager ?? node.name).length * 8.4, node.target ? toOf(node).length * 7.6 + 16 : 0), lead = node.kind === "channel" ? 66 : 48;
  return { id: node.id, width: Math.round(Math.min(most, Math.max(least, words + lead))), height: high };
}

/** The corners `[x, y]` of a line that ELK has run. */
const cornersOf = (edge) => (edge.sections ?? []).flatMap((section) =>
  [section.startPoint, ...(section.bendPoints ?? []), section.endPoint].map(({ x, y }) => [x, y]));

/** The ports of a queue manager: where lines leave it on the right, and come in on its left, one for each card. */
class Ports {
  constructor(tall) { this.made = new Map(); this.sides = tall ? { out: "SOUTH", in: "NORTH" } : { out: "EAST", in: "WEST" }; }

  at(id, side) {
    const key = `${id}:${side}`;
    return group(this.made, key, () => ({ id: key, box: id, side, width: 1, height: 1, layoutOptions: { "elk.port.side": this.sides[side] } }));
  }
}

/** The boxes and lines inside a queue manager that is open, from its own corner on, and its ports, fixed; `tall` for one
 *  that goes down, at most two cards in a row. */
async function insideOf(elk, model, room, objects, view, facts, tall) {
  if (room.families.length && !view.route) return gridOf(elk, model, room, view, facts);
  const where = new Map([[room.id, room.id]]), seen = new Map(), ports = new Ports(tall);
  const card = (node) => {
    seen.set(node.id, { type: "card", node });
    const layer = sends(node) ? "LAST" : receives(node) && (node.chltype !== "SVRCONN" || model.into.has(node.id)) ? "FIRST" : "";
    return { ...sized(node), layoutOptions: layer ? { "elk.layered.layering.layerConstraint": layer } : {} };
  };
  let children;
  if (room.facility) {
    for (const node of [...room.structures, ...objects]) where.set(node.id, node.id);
    children = room.structures.map((node) => {
      const least = Math.max(230, widthOf(node.name, false) * 14.5 + 176); // its name, and whether it can be recovered
      seen.set(node.id, { type: "structure", node });
      return { id: node.id, children: objects.filter((each) => each.structure === node.id).map(card), layoutOptions: { "elk.padding": "[top=40,left=14,bottom=12,right=14]", "elk.nodeSize.constraints": "MINIMUM_SIZE", "elk.nodeSize.minimum": `(${(tall ? [60, least] : [least, 60]).join()})` } };
    });
    children.push(...objects.filter((node) => !node.structure).map(card));
  } else {
    const { keep, where: at } = cardsOf(model, objects, view, room.id, facts);
    for (const node of objects) where.set(node.id, at.get(node.id) ?? node.id);
    children = keep.map(card);
  }
  const lines = new Map();
  for (const node of objects) for (const edge of [...(model.out.get(node.id) ?? []), ...(model.into.get(node.id) ?? [])]) {
    const [from, to] = [edge.source, edge.target].map((id) => roomOf(model, id));
    let source = where.get(edge.source), target = where.get(edge.target), port = "";
    if (from !== to) { if (from === room.id) target = port = ports.at(source, "out").id; else source = port = ports.at(target, "in").id; }
    if (source === undefined || target === undefined || source === target || source === room.id || target === room.id) continue;
    const line = group(lines, `${source}>${target}`, () => ({ id: `${source}>${target}`, sources: [source], targets: [target], port, of: [] }));
    if (!line.of.includes(edge)) line.of.push(edge);
  }
  const head = `${PLATFORMS[room.platform] ?? ""} · ${objects.length} queues${objects.some((node) => node.kind === "channel") ? " · 1 channel" : ""} · no messages`;
  const least = [Math.max(widthOf(titleOf(room, 1), false) * 17 + 46, widthOf(head, false) * 12.6) + 2 * SIDE, children.length ? 96 : 66];
  const laid = await elk.layout({
    id: "all", layoutOptions: { ...LAYERED, ...(tall ? DOWNWARD : { "elk.direction": "RIGHT" }), "elk.padding": "[top=0,left=0,bottom=0,right=0]" },
    children: [{
      id: room.id, children, ports: [...ports.made.values()].map(({ box, side, ...port }) => port), layoutOptions: {
        ...(tall ? DOWNWARD : {}), "elk.portConstraints": "FIXED_SIDE", "elk.padding": `[top=${HEAD},left=${SIDE},bottom=16,right=${SIDE}]`, "elk.aspectRatio": "1.4",
        "elk.nodeSize.constraints": "MINIMUM_SIZE PORTS", "elk.nodeSize.minimum": `(${(tall && children.length ? least.reverse() : least).join()})`, // ELK turns what goes down and is not empty
      },
    }],
    edges: [...lines.values()].map(({ id, sources, targets }) => ({ id, sources, targets })),
  });
  const [shell] = laid.children, boxes = [];
  const place = (node) => {
    if (node !== shell) boxes.push({ ...seen.get(node.id), id: node.id, x: node.x - shell.x, y: node.y - shell.y, w: node.width, h: node.height });
    for (const child of node.children ?? []) place(child);
  };
  place(shell);
  const inner = [], leads = new Map();
  for (const edge of laid.edges ?? []) {
    const { of, port } = lines.get(edge.id), points = cornersOf(edge).map(([x, y]) => [x - shell.x, y - shell.y]);
    if (port) leads.set(port, points); else inner.push({ id: edge.id, of, points });
  }
  const level = new Map((shell.ports ?? []).map((port) => [port.id, (tall ? port.x - shell.x : port.y - shell.y) + 0.5]));
  return { boxes, lines: inner, leads, where, ports: level, tall, width: shell.width, height: shell.height };
}

/** A large queue manager: families in three zones, arriving, here, leaving, as chips; those that are open above them. */
async function gridOf(elk, model, room, view, facts) {
  const boxes = [], lines = [], where = new Map([[room.id, room.id]]), level = new Map(), open = new Set(view.open);
  let across = SIDE, y = HEAD, foot = HEAD, width = 0;
  for (const family of room.families) {
    if (!open.has(family.id)) continue;
    const { keep, where: at } = cardsOf(model, family.objects, view, family.id, facts), cards = new Map(keep.map((node) => [node.id, node])), inner = new Map();
    for (const node of family.objects) where.set(node.id, at.get(node.id) ?? node.id);
    for (const node of family.objects) for (const edge of model.out.get(node.id) ?? []) {
      const source = where.get(edge.source), target = where.get(edge.target);
      if (cards.has(source) && cards.has(target) && source !== target) group(inner, `${source}>${target}`, () => ({ of: [], source, target })).of.push(edge);
    }
    const laid = await elk.layout({
      id: "all", layoutOptions: { ...LAYERED, "elk.direction": "RIGHT", "elk.aspectRatio": "2.6", "elk.padding": "[top=42,left=14,bottom=14,right=14]" },
      children: keep.map((node) => sized(node)),
      edges: [...inner].map(([id, line]) => ({ id, sources: [line.source], targets: [line.target] })),
    });
    const wide = Math.max(laid.width, 300);
    if (across > SIDE && across + wide > ROW) { across = SIDE; y = foot + 14; }
    const [left, top] = [across, y];
    boxes.push({ id: family.id, type: "panel", family, x: left, y, w: wide, h: laid.height });
    for (const child of laid.children) boxes.push({ id: child.id, type: "card", node: cards.get(child.id), x: left + child.x, y: top + child.y, w: child.width, h: child.height });
    for (const edge of laid.edges ?? []) lines.push({ id: edge.id, of: inner.get(edge.id).of, points: cornersOf(edge).map(([px, py]) => [left + px, top + py]) });
    level.set(family.id, y + laid.height / 2);
    across += wide + 14;
    width = Math.max(width, across - 14);
    foot = Math.max(foot, y + laid.height);
  }
  const large = room.objects.length > 200, head = (foot > HEAD ? foot + 14 : HEAD) + 26, home = new Map(), ports = new Map();
  let x = SIDE, bottom = head;
  for (const zone of ["in", "here", "out"]) {
    const closed = room.families.filter((family) => family.zone === zone && !open.has(family.id)), key = `${room.id}#${zone}`;
    if (!closed.length) continue;
    let columns = zone === "in" ? 1 : zone === "here" ? (large ? 3 : 2) : large ? 2 : 1;
    if (closed.length < ROWS * columns) columns = Math.max(1, Math.ceil(closed.length / ROWS));
    const rows = view.more.includes(key) ? Math.ceil(closed.length / columns) : Math.min(ROWS, Math.ceil(closed.length / columns));
    const alarmed = closed.filter((family) => alarmsOf(model, family.objects, facts).length).length; // they are the first
    const shown = closed.length > rows * columns ? closed.slice(0, Math.max(alarmed, rows * columns - 1)) : closed, hidden = closed.slice(shown.length);
    boxes.push({ id: key, type: "zone", x, y: head - 22, w: columns * (CHIP[0] + GAP) - GAP, h: 18, title: { in: "arrives by", here: "is here", out: "leaves for" }[zone] });
    const put = (id, place, about, some) => {
      const at = { x: x + (place % columns) * (CHIP[0] + GAP), y: head + Math.floor(place / columns) * (CHIP[1] + GAP) };
      boxes.push({ id, ...about, ...at, w: CHIP[0], h: CHIP[1] });
      for (const family of some) for (const node of family.objects) where.set(node.id, id);
      level.set(id, at.y + CHIP[1] / 2);
      bottom = Math.max(bottom, at.y + CHIP[1]);
    };
    shown.forEach((family, place) => put(family.id, place, { type: "chip", family }, [family]));
    if (hidden.length) put(`more:${key}`, shown.length, { type: "rest", key, title: `${hidden.length} more · ${total(hidden, (family) => family.objects.length)} objects` }, hidden);
    x += columns * (CHIP[0] + GAP) + SIDE;
  }
  for (const family of room.families) for (const node of family.objects) home.set(node.id, level.has(family.id) ? family.id : where.get(node.id));
  // a line goes to the family of an object, at its height, and has a port of its own unless there are very many
  const portOf = (id, side, far) => { const at = home.get(id), key = `${at}:${side}:${model.between.length > APART ? "" : far}`; ports.set(key, level.get(at)); return key; };
  return { boxes, lines, leads: new Map(), where, ports, portOf, width: Math.max(width + SIDE, x - GAP, room.id.length * 11 + 320), height: bottom + 16 };
}

/** Boxes and lines of a view: `boxes` with id, type, and place, `lines` with their corners and the edges they stand for,
 *  `where` each object is seen, and the size of all. A view is {open, more, route}: ids of queue managers and families
 *  that are open, lists shown in full, and the objects of a route, alone, or null. `screen` is [width, height] in pixels:
 *  queue managers stand beside each other, or below, as they are larger there. */
async function placesOf(elk, model, view, facts, screen) {
  const open = new Set(view.open), on = view.route && new Set(view.route), insides = new Map(), seen = new Map(), where = new Map();
  const stacked = new Map(), children = new Map(), top = [], tall = upright(screen);
  if (!on) for (const stack of model.stacks) if (!open.has(stack.id) && !stack.members.some((room) => open.has(room.id))) for (const room of stack.members) stacked.set(room.id, stack);
  for (const node of clientsOf(model)) {
    const all = node.of ?? [node], stack = stacked.get(node.qmgr);
    if (on && !all.some((each) => on.has(each.id))) continue;
    for (const each of all) where.set(each.id, stack?.id ?? node.id);
    if (stack) continue;
    seen.set(node.id, { type: "card", node });
    top.push({ ...sized(node), id: node.id });
  }
  for (const room of model.order) {
    const objects = on ? room.objects.filter((node) => on.has(node.id)) : room.objects, stack = stacked.get(room.id);
    const frame = room.group ? `group:${room.group}` : room.clusters ? `cluster:${room.clusters}` : "";
    const all = [room, ...(room.structures ?? []), ...objects], into = frame ? group(children, frame, () => []) : top;
    if (on && !objects.length) continue;
    if (stack) {
      for (const node of all) where.set(node.id, stack.id);
      if (!seen.has(stack.id)) top.push({ id: stack.id, width: LEAST_SIZES.stacked[0], height: LEAST_SIZES.stacked[1] });
      seen.set(stack.id, { type: "stacked", stack });
    } else if (!on && !open.has(room.id)) {
      for (const node of all) where.set(node.id, room.id);
      seen.set(room.id, { type: "closed", room });
      into.push({ id: room.id, width: Math.max(LEAST_SIZES.closed[0], room.id.length * 11 + 40), height: LEAST_SIZES.closed[1] });
    } else {
      const key = JSON.stringify([room.id, on ? view.route : view.open.filter((id) => id.startsWith(`${room.id}#`)), view.more, tall]);
      const inside = group(model.insides, key, () => null) ?? (await insideOf(elk, model, room, objects, view, facts, tall));
      model.insides.set(key, inside);
      for (const [id, at] of inside.where) where.set(id, at);
      seen.set(room.id, { type: "room", room });
      insides.set(room.id, inside);
      into.push({ id: room.id, width: inside.width, height: inside.height });
    }
  }
  for (const [id, members] of children) {
    const [type] = id.split(":", 1);
    seen.set(id, { type, title: id.slice(type.length + 1), several: id.includes(", ") });
    const least = { "elk.nodeSize.constraints": "MINIMUM_SIZE", "elk.nodeSize.minimum": `(${tenth(widthOf(id, false) * 16 + 44)},0)` };
    top.push({ id, children: members, layoutOptions: { "elk.padding": "[top=44,left=16,bottom=16,right=16]", ...(type === "cluster" ? least : {}) } });
  }
  const lines = outerLines(model, where, insides, seen), nodes = top.flatMap((node) => [node, ...(node.children ?? [])]);
  paired(lines, seen, new Map(nodes.map((node, place) => [node.id, place])));
  for (const node of nodes) {
    const inside = insides.get(node.id), starts = new Set(lines.map((line) => line.from)), ends = new Set(lines.map((line) => line.to));
    const mine = inside && [...inside.ports].filter(([id]) => starts.has(id) || ends.has(id)), beside = new Map();
    if (!inside) continue;
    for (const [id, at] of mine) group(beside, `${starts.has(id)} ${at}`, () => []).push(id);
    const answer = (id) => { const far = lines.find((line) => line.to === id)?.source, back = lines.find((line) => line.target === far && inside.ports.has(line.from)); return back ? inside.ports.get(back.from) : 0; };
    for (const [key, ids] of beside) if (!key.startsWith("true")) ids.sort((a, b) => answer(b) - answer(a)); // what comes back runs around the box: the first that leaves is the last
    node.ports = mine.map(([id, level]) => {
      const out = starts.has(id), all = beside.get(`${out} ${level}`), at = level + (all.indexOf(id) - (all.length - 1) / 2) * Math.min(7, (CHIP[1] - 8) / all.length);
      const place = inside.tall ? { x: at - 0.5, y: out ? node.height : -1 } : { x: out ? node.width : -1, y: at - 0.5 };
      return { id, width: 1, height: 1, ...place, layoutOptions: { "elk.port.side": inside.tall ? (out ? "SOUTH" : "NORTH") : out ? "EAST" : "WEST" } };
    });
    node.layoutOptions = { "elk.portConstraints": "FIXED_POS" };
  }
  let best = null;
  for (const direction of tall ? ["DOWN"] : ["RIGHT", "DOWN"]) {
    // below each other queue managers stand in the middle: placed for straight lines they would make a staircase
    const options = { ...LAYERED, "elk.direction": direction, "elk.layered.spacing.nodeNodeBetweenLayers": "36", ...(direction === "DOWN" ? { "elk.layered.nodePlacement.strategy": "SIMPLE" } : {}), ...(tall ? COLUMN : {}) };
    const within = copied(top);
    for (const node of within) if (node.children) Object.assign(node.layoutOptions, { "elk.layered.nodePlacement.strategy": options["elk.layered.nodePlacement.strategy"] }, tall ? COLUMN : {});
    const laid = await elk.layout({
      id: "all", layoutOptions: { ...options, "elk.aspectRatio": tall ? "0.5" : "1.7", "elk.separateConnectedComponents": "true" },
      children: within, edges: lines.map((line) => ({ id: line.id, sources: [line.from], targets: [line.to], labels: labelsOf(model, line, seen) })),
    });
    const scale = Math.min(1, screen[0] / laid.width, screen[1] / laid.height);
    if (!best || scale > best.scale * 1.12) best = { laid, scale };
    if (nodes.length < 2 || best.scale === 1) break;
  }
  return { ...composed(best.laid, lines, seen, insides), where: Object.fromEntries(where) };
}

const copied = (value) => JSON.parse(JSON.stringify(value));

/** The lines between queue managers, from port to port or box to box; each stands `of` one edge or more. */
function outerLines(model, where, insides, seen) {
  const lines = new Map();
  for (const edge of model.edges) {
    const from = roomOf(model, edge.source), to = roomOf(model, edge.target), source = where.get(edge.source), target = where.get(edge.target);
    if (from === to || !source || !target || source === target) continue;
    const end = (id, room, at, side, far) => {
      const inside = insides.get(room);
      if (!inside) return at;
      const port = inside.portOf && id !== room ? inside.portOf(id, side, far) : `${at}:${side}`;
      if (!inside.ports.has(port)) inside.ports.set(port, side === "in" ? 30 : 22); // of the queue manager itself
      return port;
    };
    const out = end(edge.source, from, source, "out", target), into = end(edge.target, to, target, "in", source), id = `${out}>${into}`;
    group(lines, id, () => ({ id, from: out, to: into, source, target, of: [], rooms: [from, to], both: edge.kind === "link" || edge.kind === "connects" })).of.push(edge);
  }
  for (const line of lines.values()) {
    const pulls = line.of.filter((edge) => edge.kind === "pulls").length; // the messages go against the line
    if (pulls === line.of.length) line.pulled = true; else if (pulls) line.both = true;
  }
  return [...lines.values()];
}

/** Between two closed boxes one line stands for both directions. */
function paired(lines, seen, order) {
  const plain = (id) => ["closed", "stacked"].includes(seen.get(id)?.type), byId = new Map(lines.map((line) => [line.id, line]));
  for (const line of lines.slice()) {
    const back = byId.get(`${line.to}>${line.from}`);
    if (!back || !byId.has(line.id) || !plain(line.from) || !plain(line.to)) continue;
    const [keep, drop] = order.get(line.from) <= order.get(line.to) ? [line, back] : [back, line];
    keep.of.push(...drop.of);
    keep.both = true;
    delete keep.pulled;
    byId.delete(drop.id);
    lines.splice(lines.indexOf(drop), 1);
  }
}

/** A line says its channel's name, or how many there are, unless the cards at both ends do; and that it fetches. */
function labelsOf(model, line, seen) {
  const stops = line.of.flatMap(({ source }) => model.nodes.get(source).stops ?? []).flatMap(stopLines);
  if (stops.length) return [{ id: `label:${line.id}`, text: "refused", width: 44 + Math.max(...stops.map((each) => widthOf(each, false) * 14.5)), height: 42, layoutOptions: { "elk.edgeLabels.inline": "true" } }];
  if (line.pulled) return [{ id: `label:${line.id}`, text: "fetches", width: 76, height: 22 }];
  const talks = line.of.filter((edge) => edge.kind === "talks");
  if (!talks.length || ![line.from, line.to].some((id) => seen.has(id))) return [];
  const text = talks.length === 1 ? model.nodes.get(talks[0].source).name : `${talks.length} channels`;
  return [{ id: `label:${line.id}`, text, width: 9.3 * Math.min(text.length, 18) + 14, height: 22 }];
}

/** Everything in its place: the insides of queue managers moved to where these are, lines joined through their ports. */
function composed(laid, lines, seen, insides) {
  const boxes = [], drawn = [], leads = new Map(), byId = new Map(lines.map((line) => [line.id, line]));
  const move = (points, { x, y }) => points.map(([px, py]) => [px + x, py + y]);
  const place = (node) => {
    if (node.id !== "all") boxes.push({ ...seen.get(node.id), id: node.id, x: node.x, y: node.y, w: node.width, h: node.height });
    const inside = insides.get(node.id);
    if (inside) {
      for (const box of inside.boxes) boxes.push({ ...box, x: box.x + node.x, y: box.y + node.y });
      for (const line of inside.lines) drawn.push({ ...line, points: move(line.points, node) });
      for (const [port, points] of inside.leads) leads.set(port, move(points, node));
    }
    for (const child of node.children ?? []) place(child);
  };
  place(laid);
  const pair = (id) => byId.get(id).rooms.slice().sort().join(), last = new Map((laid.edges ?? []).map(({ id }) => [pair(id), id])); // that says "cut"
  const many = (id) => lines.filter(({ source, target }) => source === id || target === id).length, busy = (room) => lines.filter(({ rooms }) => rooms.includes(room)).length;
  for (const edge of laid.edges ?? []) {
    const line = byId.get(edge.id), [label] = edge.labels ?? [], shared = [line.source, line.target].map((id) => !seen.has(id) && many(id) > 1);
    const alone = shared[0] === shared[1] ? "" : shared[0] ? "target" : "source", fewer = busy(line.rooms[0]) < busy(line.rooms[1]) ? "source" : "target";
    const points = [...(leads.get(line.from) ?? []), ...cornersOf(edge), ...(leads.get(line.to) ?? [])];
    drawn.push({ id: `${line.source}>${line.target}`, of: line.of, both: line.both, pulled: line.pulled, alone, fewer, last: last.get(pair(edge.id)) === edge.id, points: straightened(points), label: label && { text: label.text, x: label.x, y: label.y, w: label.width, h: label.height } });
  }
  return { boxes, lines: drawn, width: laid.width, height: laid.height };
}

/** Corners without those that are none: doubled ones, and points on a straight stretch. */
function straightened(points) {
  const near = (a, b) => Math.abs(a - b) < 1.6, kept = [];
  for (const [x, y] of points) {
    let at = [x, y];
    const last = kept[kept.length - 1];
    if (last && near(last[0], x) && near(last[1], y)) continue;
    if (last) at = near(last[0], x) ? [last[0], y] : near(last[1], y) ? [x, last[1]] : at; // across a port of one pixel
    const before = kept[kept.length - 2];
    if (before && ((before[0] === last[0] && last[0] === at[0]) || (before[1] === last[1] && last[1] === at[1]))) kept.pop();
    kept.push(at);
  }
  return kept;
}

/** The view to begin with on a screen of `[width, height]` pixels, and its places: everything, if that is legible; else
 *  as much as is, the most telling first. */
async function openingOf(elk, model, facts, screen) {
  const view = { open: [], more: [], route: null }, many = total(model.order, (room) => room.objects.length);
  const scale = (scene) => (upright(screen) ? 1 : Math.min(screen[0] / scene.width, screen[1] / scene.height)); // a phone scrolls
  const told = new Map(model.order.map((room) => [room.id, total(room.objects, (node) => weight(node, facts))]));
  const ranked = model.order.map((room) => room.id).sort((a, b) => told.get(b) - told.get(a) || (a < b ? -1 : 1));
  view.open = many <= ALL ? ranked : ranked.slice(0, 3);
  let scene = await placesOf(elk, model, view, facts, screen);
  const few = model.few && !(scale(scene) < SMALLEST && model.order.some((room) => room.clusters));
  while (!few && view.open.length && model.rooms.size > 1 && scale(scene) < FITS) {
    let best = null; // one less: the one without which the rest is largest, of two alike the less telling
    const tries = view.open.length > 4 ? [view.open.length - 1] : view.open.map((_, place) => place).reverse();
    for (const place of tries) {
      const tried = await placesOf(elk, model, { ...view, open: view.open.filter((_, other) => other !== place) }, facts, screen);
      const worth = Math.min(FITS, scale(tried)) - place * -1e-3;
      if (!best || worth > best.worth + 1e-9) best = { place, worth, tried };
    }
    view.open.splice(best.place, 1);
    scene = best.tried;
  }
  for (const family of view.open.flatMap((id) => model.rooms.get(id).families).slice(0, 6)) {
    if (family.objects.length > ALL) continue;
    const more = { ...view, open: [...view.open, family.id] }, tried = await placesOf(elk, model, more, facts, screen);
    if (scale(tried) >= FITS) { view.open = more.open; scene = tried; }
  }
  return { view, scene };
}

/** A scene as JSON for a page that has the plan: boxes and lines without the objects that they show. */
function packed(model, scene) {
  const numbers = new Map(model.edges.map((edge, number) => [edge, number]));
  const boxes = scene.boxes.map(({ id, type, x, y, w, h, title, key, node }) => ({ id, type, x, y, w, h, title, key, of: node?.of?.map((each) => each.id), name: node?.of || node?.kind === "more" ? node.name : undefined }));
  const lines = scene.lines.map(({ of, ...line }) => ({ ...line, of: of.map((edge) => numbers.get(edge)) }));
  return { ...scene, boxes, lines };
}

/** The scene that `packed` made JSON of. */
function unpacked(model, scene) {
  const families = new Map([...model.rooms.values()].flatMap((room) => room.families.map((family) => [family.id, family])));
  const stacks = new Map(model.stacks.map((stack) => [stack.id, stack]));
  const boxes = scene.boxes.map((box) => {
    const found = { ...box, room: model.rooms.get(box.id), family: families.get(box.id), stack: stacks.get(box.id) };
    const kind = box.of ? "stack" : "more";
    if (box.type === "card" || box.type === "structure") found.node = box.name ? { id: box.id, kind, name: box.name, key: box.id.slice(5), of: box.of?.map((id) => model.nodes.get(id)) } : model.nodes.get(box.id);
    return found;
  });
  return { ...scene, boxes, lines: scene.lines.map((line) => ({ ...line, of: line.of.map((number) => model.edges[number]) })) };
}
