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
const IN_A_ROW = { "elk.direction": "DOWN", "elk.layered.spacing.nodeNodeBetweenLayers": "26" };
const ASIDE = { "elk.layered.nodePlacement.strategy": "BRANDES_KOEPF" }; // network simplex fails where ports are beside the direction
const OWN = Object.fromEntries(["cycleBreaking", "layering", "crossingMinimization", "nodePlacement"].map((step) => [`elk.layered.${step}.strategy`, "INTERACTIVE"])); // near one's own places
const COLUMN = { ...DOWNWARD, "elk.layered.layering.coffmanGraham.layerBound": "1" }; // queue managers on an upright screen
const NOTE = 19; // pixels: a line of a remark
const ROWED = 12; // queue managers: a longer chain goes on in rows
const CHIP = [196, 36], GAP = 8, ROWS = 11, HEAD = 56, TAG = 12, SIDE = 18, ROW = 860; // pixels: above a card with a tag; a row of open families
const SMALLEST = 0.6; // of the real size: of clusters, which have many queue managers, less is open rather than so small
const APART = 40; // pairs of queue managers: with more of them lines may come together at an open one
const FITS = 0.84; // of the real size: above it everything can stay open, and text is 11 px or more

/** Whether a screen is that of a phone held upright: there everything goes down. */
const upright = (screen) => screen[0] < 560;

/** The size of a card, as wide as its words need while they are legible. */
function sized(node, most = 320) {
  const [least, high] = node.kind === "queue" ? [176, holds(node) ? 62 : 46] : LEAST_SIZES[node.kind];
  if (node.kind === "stack" || node.kind === "more") return { id: node.id, width: least, height: high };
  const words = Math.max((node.manager ?? node.name).length * 8.4, node.target ? toOf(node).length * 7.6 : 0), lead = node.kind === "channel" ? 66 : 48;
  return { id: node.id, width: Math.round(Math.min(most, Math.max(least, words + lead))), height: high };
}

/** The corners `[x, y]` of a line that ELK has run. */
const cornersOf = (edge) => (edge.sections ?? []).flatMap((section) =>
  [section.startPoint, ...(section.bendPoints ?? []), section.endPoint].map(({ x, y }) => [x, y]));

/** The ports of a queue manager: where lines leave it on the right, and come in on its left, one for each card; or on the
 *  sides `towards` other queue managers. */
class Ports {
  constructor(tall, towards) { this.made = new Map(); this.towards = towards; this.sides = tall ? { out: "SOUTH", in: "NORTH" } : { out: "EAST", in: "WEST" }; }

  at(id, side, far) {
    const facing = this.towards?.get(far), key = `${id}:${side}${facing ? `:${facing}` : ""}`;
    return group(this.made, key, () => ({ id: key, box: id, side, width: 1, height: 1, layoutOptions: { "elk.port.side": facing ?? this.sides[side] } }));
  }
}

/** A node with room for the remark below it. */
const noted = (model, node) => { const lines = model.look.notes[node.id]; return lines ? { ...node, width: Math.max(node.width, 236), height: node.height + lines.length * NOTE + 12 } : node; };

/** What is seen of a node: its box, and the remark below. */
function boxesOf(model, box) {
  const lines = model.look.notes[box.id], h = lines ? lines.length * NOTE + 8 : 0;
  return lines ? [{ ...box, h: box.h - h - 4 }, { id: `note:${box.id}`, type: "note", title: lines.join(" "), lines, x: box.x, y: box.y + box.h - h, w: box.w, h }] : [box];
}

/** The boxes and lines inside a queue manager that is open, from its own corner on, and its ports, fixed; `form` is "tall"
 *  for one that goes down, at most two cards in a row, and "narrow" for one in a row of many, a card in a row; `towards`
 *  are the sides to other queue managers. */
async function insideOf(elk, model, room, objects, view, facts, form, towards) {
  if (room.families.length && !view.route) return gridOf(elk, model, room, view, facts);
  const tall = form === "tall", down = tall ? DOWNWARD : form ? IN_A_ROW : null, aside = towards || form === "narrow" ? ASIDE : {};
  const where = new Map([[room.id, room.id]]), seen = new Map(), ports = new Ports(tall, towards);
  const card = (node) => {
    seen.set(node.id, { type: "card", node });
    const layer = towards || form === "narrow" || own.size ? "" : sends(node) ? "LAST" : receives(node) && (node.chltype !== "SVRCONN" || model.into.has(node.id)) ? "FIRST" : "";
    return { ...noted(model, sized(node)), ...own.get(node.id), layoutOptions: layer ? { "elk.layered.layering.layerConstraint": layer } : {} };
  };
  const own = spotsOf(objects.map((node) => ({ id: node.id, at: model.look.positions[node.id] })), [1.5, 1].map((share) => share * 120 * Math.sqrt(objects.length)));
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
    if (from !== to) { if (from === room.id) target = port = ports.at(source, "out", to).id; else source = port = ports.at(target, "in", from).id; }
    if (source === undefined || target === undefined || source === target || source === room.id || target === room.id) continue;
    const line = group(lines, `${source}>${target}`, () => ({ id: `${source}>${target}`, sources: [source], targets: [target], port, of: [] }));
    if (!line.of.includes(edge)) line.of.push(edge);
  }
  const head = `${PLATFORMS[room.platform] ?? ""} · ${objects.length} queues${objects.some((node) => node.kind === "channel") ? " · 1 channel" : ""} · no messages`;
  const least = [Math.max(widthOf(titleOf(room, 1), false) * 17 + 46, widthOf(head, false) * 12.6) + 2 * SIDE, children.length ? 96 : 66];
  const laid = await elk.layout({
    id: "all", layoutOptions: { ...LAYERED, ...(down ?? { "elk.direction": "RIGHT" }), ...aside, ...(own.size ? OWN : {}), "elk.padding": "[top=0,left=0,bottom=0,right=0]" },
    children: [{
      id: room.id, children, ports: [...ports.made.values()].map(({ box, side, ...port }) => port), layoutOptions: {
        ...down, ...aside, ...(own.size ? OWN : {}), "elk.portConstraints": "FIXED_SIDE", "elk.padding": `[top=${HEAD + TAG * objects.some(tagged)},left=${SIDE},bottom=24,right=${SIDE}]`, "elk.aspectRatio": "1.4",
        "elk.nodeSize.constraints": "MINIMUM_SIZE PORTS", "elk.nodeSize.minimum": `(${(down && children.length ? least.reverse() : least).join()})`, // ELK turns what goes down and is not empty
      },
    }],
    edges: [...lines.values(), ...(form === "narrow" ? children.slice(1).map(({ id }, place) => ({ id: `below:${id}`, sources: [children[place].id], targets: [id] })).filter((pair) => !lines.has(`${pair.sources}>${pair.targets}`)) : [])].map(({ id, sources, targets }) => ({ id, sources, targets })),
  });
  const [shell] = laid.children, boxes = [];
  const place = (node) => {
    if (node !== shell) boxes.push(...boxesOf(model, { ...seen.get(node.id), id: node.id, x: node.x - shell.x, y: node.y - shell.y, w: node.width, h: node.height }));
    for (const child of node.children ?? []) place(child);
  };
  place(shell);
  const inner = [], leads = new Map();
  for (const edge of laid.edges ?? []) if (lines.has(edge.id)) {
    const { of, port } = lines.get(edge.id), points = cornersOf(edge).map(([x, y]) => [x - shell.x, y - shell.y]);
    if (port) leads.set(port, points); else inner.push({ id: edge.id, of, points });
  }
  const spots = new Map((shell.ports ?? []).map((port) => [port.id, [port.x - shell.x + 0.5, port.y - shell.y + 0.5]]));
  const level = new Map((shell.ports ?? []).map((port) => [port.id, (tall ? port.x - shell.x : port.y - shell.y) + 0.5]));
  return { boxes, lines: inner, leads, where, ports: level, spots, tall, portOf: towards && ((id, side, far) => `${where.get(id)}:${side}${towards.has(far) ? `:${towards.get(far)}` : ""}`), width: shell.width, height: shell.height };
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
  const tall = upright(screen), first = await shownOf(elk, model, view, facts, tall ? "tall" : "");
  const { top, nodes, lines, seen, insides, pairs } = first, done = (laid, { lines, seen, insides, where } = first) => ({ ...composed(model, laid, lines, seen, insides), where: Object.fromEntries(where) });
  const chain = chainOf(model, nodes, pairs), shape = tall ? null : shapeOf(model, nodes, pairs, top.length < nodes.length, chain);
  if (shape) {
    const laid = await spread(elk, top, shape, screen), shown = insides.size ? await shownOf(elk, model, view, facts, "", sidesOf(laid)) : first;
    return done(joined(model, insides.size ? await spread(elk, shown.top, shape, screen) : laid, shown), shown);
  }
  if (chain && top.length === nodes.length) top.sort((a, b) => chain.indexOf(a.id) - chain.indexOf(b.id));
  let best = null;
  for (const form of tall ? ["tall"] : chain ? ["", "narrow"] : ["", "DOWN"]) {
    const shown = form === "narrow" ? await shownOf(elk, model, view, facts, form) : first, direction = tall || form === "DOWN" ? "DOWN" : "RIGHT";
    if (form === "narrow") shown.top.sort((a, b) => chain.indexOf(a.id) - chain.indexOf(b.id));
    // below each other queue managers stand in the middle: placed for straight lines they would make a staircase
    const options = { ...LAYERED, "elk.direction": direction, "elk.layered.spacing.nodeNodeBetweenLayers": "36", ...(direction === "DOWN" || form === "narrow" ? { "elk.layered.nodePlacement.strategy": "SIMPLE" } : {}), ...(tall ? COLUMN : {}) };
    const within = copied(shown.top);
    for (const node of within) if (node.children) Object.assign(node.layoutOptions, { "elk.layered.nodePlacement.strategy": options["elk.layered.nodePlacement.strategy"] }, tall ? COLUMN : {});
    const laid = await elk.layout({
      id: "all", layoutOptions: { ...options, "elk.aspectRatio": tall ? "0.5" : "1.7", "elk.separateConnectedComponents": "true" },
      children: within, edges: shown.lines.map((line) => ({ id: line.id, sources: [line.from], targets: [line.to], labels: chain?.length > 5 ? [] : labelsOf(model, line, shown.seen) })),
    });
    const scale = Math.min(1, screen[0] / laid.width, screen[1] / laid.height);
    if (!best || scale > best.scale * (top.some(({ id }) => id.startsWith("group:")) ? 1.5 : 1.12)) best = { laid, scale, shown };
    if (nodes.length < 2 || best.scale === 1) break;
  }
  return done(best.laid, best.shown);
}

/** What there is to place: boxes at the top with those in frames, in all `nodes`, lines and which boxes these join. `form` and
 *  `sides` are those of the insides. */
async function shownOf(elk, model, view, facts, form, sides = new Map()) {
  const open = new Set(view.open), on = view.route && new Set(view.route), insides = new Map(), seen = new Map(), where = new Map();
  const stacked = new Map(), children = new Map(), top = [], tall = form === "tall", { sites } = model.look;
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
    const site = sites[room.id] ?? (room.facility && new Set(room.members.map((id) => sites[id])).size === 1 ? sites[room.members[0]] : ""); // text: an id
    const frame = site ? `site:${site}` : room.group ? `group:${room.group}` : room.clusters ? `cluster:${room.clusters}` : "";
    const all = [room, ...(room.structures ?? []), ...objects], into = frame ? group(children, frame, () => []) : top;
    if (on && !objects.length) continue;
    if (stack) {
      for (const node of all) where.set(node.id, stack.id);
      if (!seen.has(stack.id)) top.push({ id: stack.id, width: LEAST_SIZES.stacked[0], height: LEAST_SIZES.stacked[1] });
      seen.set(stack.id, { type: "stacked", stack });
    } else if (!on && !open.has(room.id)) {
      for (const node of all) where.set(node.id, room.id);
      seen.set(room.id, { type: "closed", room });
      into.push(noted(model, { id: room.id, width: Math.max(LEAST_SIZES.closed[0], room.id.length * 11 + 40), height: LEAST_SIZES.closed[1] }));
    } else {
      const towards = sides.get(room.id), key = JSON.stringify([room.id, on ? view.route : view.open.filter((id) => id.startsWith(`${room.id}#`)), view.more, form, towards && [...towards]]);
      const inside = group(model.insides, key, () => null) ?? (await insideOf(elk, model, room, objects, view, facts, form, towards));
      model.insides.set(key, inside);
      for (const [id, at] of inside.where) where.set(id, at);
      seen.set(room.id, { type: "room", room });
      insides.set(room.id, inside);
      into.push(noted(model, { id: room.id, width: inside.width, height: inside.height }));
    }
  }
  for (const [id, members] of children) {
    const [type] = id.split(":", 1);
    seen.set(id, { type, title: id.slice(type.length + 1), several: id.includes(", ") });
    const least = { "elk.nodeSize.constraints": "MINIMUM_SIZE", "elk.nodeSize.minimum": `(${tenth(widthOf(id, false) * 16 + 44)},0)` };
    top.push({ id, children: members, layoutOptions: { "elk.padding": "[top=44,left=16,bottom=16,right=16]", ...(type === "group" ? {} : least) } });
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
  const pairs = new Map(nodes.filter((node) => !node.children).map((node) => [node.id, new Set()]));
  for (const { rooms } of lines) { const [one, other] = rooms.map((id) => where.get(id)); pairs.get(one).add(other); pairs.get(other).add(one); }
  return { top, nodes: nodes.filter((node) => !node.children), lines, seen, insides, where, pairs };
}

/** The boxes of a chain of three or more in the direction of its messages; null for any other lab. */
function chainOf(model, nodes, pairs) {
  const ends = nodes.filter(({ id }) => pairs.get(id).size === 1), walk = [ends[0]?.id];
  if (nodes.length < 3 || ends.length !== 2 || nodes.some(({ id }) => pairs.get(id).size > 2)) return null;
  for (const id of walk) for (const next of pairs.get(id)) if (!walk.includes(next)) walk.push(next);
  const sent = new Set(model.between.map((way) => way.join(">"))), whole = (list) => list.length === nodes.length && list.every((id, place) => !place || sent.has(`${list[place - 1]}>${id}`));
  return [walk, walk.slice().reverse()].find(whole) ?? null;
}

/** A place [x, y] in any unit for each box: one's own, or for a hub with its spokes around it, a mesh as a ring, and a long
 *  chain in rows; null where ELK decides. */
function shapeOf(model, nodes, pairs, framed, chain) {
  const own = model.look.positions, mean = (list) => (list.length ? [0, 1].map((axis) => total(list, (at) => at[axis]) / list.length) : null);
  const at = new Map(nodes.map(({ id }) => [id, own[id] ?? mean((model.rooms.get(id)?.objects ?? []).flatMap((node) => (own[node.id] ? [own[node.id]] : [])))])), there = [...at.values()].filter(Boolean);
  if (there.length && nodes.length > 1) {
    const [xs, ys] = [0, 1].map((axis) => there.map((each) => each[axis])), left = Math.min(...xs), low = Math.max(...ys), step = (Math.max(...xs) - left || 1) / 3;
    let others = 0;
    for (const [id, spot] of at) if (!spot) at.set(id, [left + step * others++, low + (low - Math.min(...ys) || 1) / 2]);
    return at;
  }
  const n = nodes.length, hub = nodes.find(({ id }) => n > 3 && n < 20 && pairs.get(id).size === n - 1)?.id;
  const around = (ids) => new Map(ids.map((id, place) => [id, [-Math.cos((2 * Math.PI * place) / ids.length), -Math.sin((2 * Math.PI * place) / ids.length)]]));
  if (framed || nodes.some(({ id }) => model.nodes.get(id)?.client)) return null; // clients stand on the left
  if (hub && nodes.every(({ id }) => id === hub || pairs.get(id).size === 1)) return around(nodes.map(({ id }) => id).filter((id) => id !== hub)).set(hub, [0, 0]);
  if (n > 4 && total(nodes, ({ id }) => pairs.get(id).size) > 0.6 * n * (n - 1)) return around(nodes.map(({ id }) => id));
  if (!chain || n < 6 || model.few) return null;
  if (n <= ROWED) return new Map(chain.map((id, place) => [id, [place, place % 2]])); // side by side they would be too small to read
  const wide = Math.ceil(Math.sqrt(n)), column = (place, row) => (row % 2 ? wide - 1 - (place % wide) : place % wide);
  return new Map(chain.map((id, place) => [id, [column(place, Math.floor(place / wide)), Math.floor(place / wide)]]));
}

/** Places in any unit as corners x and y on a screen. */
function spotsOf(boxes, screen) {
  const there = boxes.filter(({ at }) => at), spots = new Map();
  const [xs, ys] = [0, 1].map((axis) => there.map(({ at }) => at[axis])), [left, top] = [Math.min(...xs), Math.min(...ys)], [wide, high] = [Math.max(...xs) - left || 1, Math.max(...ys) - top || 1];
  for (const { id, at, width = 0, height = 0 } of there) spots.set(id, { x: ((at[0] - left) / wide) * screen[0] - width / 2, y: ((at[1] - top) / high) * screen[1] - height / 2 });
  return spots;
}

/** Boxes at places of a shape, as far apart as they need to be; those in a frame among themselves first. */
async function spread(elk, top, shape, screen) {
  const lay = async (boxes, padding) => {
    const wide = Math.sqrt((1.3 * total(boxes, ({ width, height }) => (width + 56) * (height + 56)) * screen[0]) / screen[1]), spots = spotsOf(boxes, [wide, (wide * screen[1]) / screen[0]]), children = boxes.map(({ id, width, height }, place) => ({ id, width, height, x: spots.get(id).x + place * 0.01, y: spots.get(id).y + place * 0.01 }));
    return elk.layout({ id: "all", layoutOptions: { "elk.algorithm": "sporeOverlap", "elk.spacing.nodeNode": "56", "elk.padding": padding }, children, edges: [] });
  };
  const whole = [];
  for (const node of top) {
    const members = node.children?.map((child) => ({ ...child, at: shape.get(child.id) })), laid = members && (await lay(members, "[top=44,left=16,bottom=16,right=16]"));
    whole.push(laid ? { ...node, width: Math.max(laid.width, parseFloat(node.layoutOptions["elk.nodeSize.minimum"]?.slice(1) ?? "0")), height: laid.height, at: [0, 1].map((axis) => total(members, ({ at }) => at[axis]) / members.length), laid } : { ...node, at: shape.get(node.id) });
  }
  const outer = await lay(whole, "[top=12,left=12,bottom=12,right=12]"), spots = new Map(outer.children.map((node) => [node.id, node]));
  const placed = whole.map((node) => ({ ...node, x: spots.get(node.id).x, y: spots.get(node.id).y }));
  for (const node of placed) if (node.laid) node.children = node.children.map((child, place) => ({ ...child, x: node.x + node.laid.children[place].x, y: node.y + node.laid.children[place].y }));
  return { id: "all", width: outer.width, height: outer.height, children: placed };
}

const BACK = { EAST: "WEST", WEST: "EAST", NORTH: "SOUTH", SOUTH: "NORTH" };
const inFrames = (laid) => laid.children.flatMap((node) => node.children ?? [node]);

/** The side of one box that faces another. */
function facing(one, other) {
  const right = other.x - one.x - one.width, left = one.x - other.x - other.width, down = other.y - one.y - one.height, up = one.y - other.y - other.height;
  return [["EAST", right], ["WEST", left], ["SOUTH", down], ["NORTH", up]].reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}

/** The side of each box that faces each other one. */
const sidesOf = (laid) => new Map(inFrames(laid).map((one) => [one.id, new Map(inFrames(laid).filter((other) => other !== one).map((other) => [other.id, facing(one, other)]))]));

/** Placed boxes with a straight line for each of the lines, from where the inside of a box leads to, or spread over its side. */
function joined(model, laid, { lines, seen, insides, where }) {
  const byId = new Map(inFrames(laid).map((node) => [node.id, node])), on = new Map(), ends = new Map();
  for (const line of lines) {
    const boxes = line.rooms.map((id) => byId.get(where.get(id)));
    ends.set(line, boxes.map((box, place) => {
      const other = boxes[1 - place], side = place ? BACK[facing(other, box)] : facing(box, other), spot = insides.get(box.id)?.spots?.get(place ? line.to : line.from); // text: an id
      if (spot) return { at: [box.x + spot[0], box.y + spot[1]] };
      const end = { box, side, across: side === "EAST" || side === "WEST" ? other.y + other.height / 2 : other.x + other.width / 2 };
      group(on, `${box.id} ${side}`, () => []).push(end);
      return end;
    }));
  }
  for (const list of on.values()) for (const [place, end] of list.sort((a, b) => a.across - b.across).entries()) {
    const { box, side } = end, share = (place + 1) / (list.length + 1);
    end.at = { EAST: [box.x + box.width, box.y + box.height * share], WEST: [box.x, box.y + box.height * share], SOUTH: [box.x + box.width * share, box.y + box.height], NORTH: [box.x + box.width * share, box.y] }[side];
  }
  const taken = inFrames(laid).map(({ x, y, width, height }) => ({ x, y, width, height })), free = (label) => taken.every((each) => label.x >= each.x + each.width || each.x >= label.x + label.width || label.y >= each.y + each.height || each.y >= label.y + label.height);
  let full = false; // there is no room for the names of all
  laid.edges = lines.map((line) => {
    const [[ax, ay], [bx, by]] = ends.get(line).map(({ at }) => at);
    const labels = labelsOf(model, line, seen).map((label) => ({ ...label, x: (ax + bx - label.width) / 2, y: (ay + by - label.height) / 2 })).filter(free);
    taken.push(...labels);
    if (labels.length < labelsOf(model, line, seen).length) full = true;
    return { id: line.id, labels, sections: [{ startPoint: { x: ax, y: ay }, endPoint: { x: bx, y: by } }] };
  });
  if (full) for (const edge of laid.edges) edge.labels = [];
  return laid;
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
    const out = end(edge.source, from, source, "out", to), into = end(edge.target, to, target, "in", from), id = `${out}>${into}`;
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
  const stops = line.of.flatMap(({ source }) => model.nodes.get(source).stops ?? []);
  if (stops.length) return [{ id: `label:${line.id}`, text: "refused", width: 44 + Math.max(...stops.map((each) => widthOf(each, false) * 14.5)), height: 42, layoutOptions: { "elk.edgeLabels.inline": "true" } }];
  if (line.pulled) return [{ id: `label:${line.id}`, text: "fetches", width: 76, height: 22 }];
  const talks = line.of.filter((edge) => edge.kind === "talks");
  if (!talks.length || ![line.from, line.to].some((id) => seen.has(id))) return [];
  const text = talks.length === 1 ? model.nodes.get(talks[0].source).name : `${talks.length} channels`;
  return [{ id: `label:${line.id}`, text, width: 9.3 * Math.min(text.length, 18) + 14, height: 22 }];
}

/** Everything in its place: the insides of queue managers moved to where these are, lines joined through their ports. */
function composed(model, laid, lines, seen, insides) {
  const boxes = [], drawn = [], leads = new Map(), byId = new Map(lines.map((line) => [line.id, line]));
  const move = (points, { x, y }) => points.map(([px, py]) => [px + x, py + y]);
  const place = (node) => {
    if (node.id !== "all") boxes.push(...boxesOf(model, { ...seen.get(node.id), id: node.id, x: node.x, y: node.y, w: node.width, h: node.height }));
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
  view.open = many <= ALL ? ranked : ranked.slice(0, model.rooms.size > ALL ? 0 : 3);
  let scene = await placesOf(elk, model, view, facts, screen);
  const few = model.few && !(scale(scene) < SMALLEST && (Object.keys(model.look.positions).length || model.order.some((room) => room.clusters)));
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
    if (family.objects.length > ALL && !family.objects.some(({ kind }) => kind === "topic")) continue;
    const more = { ...view, open: [...view.open, family.id] }, tried = await placesOf(elk, model, more, facts, screen);
    if (scale(tried) >= FITS) { view.open = more.open; scene = tried; }
  }
  return { view, scene };
}

/** A scene as JSON for a page that has the plan: boxes and lines without the objects that they show. */
function packed(model, scene) {
  const numbers = new Map(model.edges.map((edge, number) => [edge, number]));
  const boxes = scene.boxes.map(({ id, type, x, y, w, h, title, lines, key, node }) => ({ id, type, x, y, w, h, title, lines, key, of: node?.of?.map((each) => each.id), name: node?.of || node?.kind === "more" ? node.name : undefined }));
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
