// What there is to draw of a lab, and how much of it: pure functions of a plan (what never changes) and of facts (what
// is true at one moment). No document, no clock, no random, no locale: Python's engine and a browser give the same.

const SMALL = 16; // objects: a larger queue manager is drawn by families
const FEW = 25; // objects: up to so many all are drawn, each in one place at all times
const ALL = 40; // objects: with more of them only the most telling queue managers open by themselves
const CARDS = 16; // cards of one queue manager or family; the rest stands behind "and 7 more"
const SENDS = new Set(["SDR", "SVR", "CLUSSDR"]);
const NAMES_ONLY = new Set(["alias", "remote", "model", "cluster", "synchronous", "home-server"]);
const TROUBLED = new Set(["RETRYING", "STOPPED", "PAUSED"]);
const FRONT = 8; // messages drawn one by one, from the front of a queue

const total = (list, of) => list.reduce((sum, each) => sum + of(each), 0);
const group = (map, key, make) => map.get(key) ?? (map.set(key, make()), map.get(key));
const sends = (node) => node.kind === "channel" && SENDS.has(node.chltype);
const receives = (node) => node.kind === "channel" && !SENDS.has(node.chltype);
const holds = (node) => node.kind === "queue" && !NAMES_ONLY.has(node.type);

/** How a fact of a queue, [depth, expired, uncommitted, MAXDEPTH, PUT, GET, messages, runs, oldest, held, holder], reads
 *  by name. */
function queueNow(fact) {
  const [depth, expired, uncommitted, most, put, get, messages, runs, oldest, held, holder] = fact ?? [0, 0, 0, 0, 1, 1, []];
  return { depth, expired, uncommitted, most, put, get, messages: messages ?? [], runs: runs ?? [], oldest, held: held ?? 0, holder, full: most > 0 && depth >= most };
}

/** Why an object needs attention at a moment, "" if it does not: the one judge of trouble, for cards, boxes, and lines. */
function trouble(node, facts) {
  const fact = facts(node.id);
  if (node.kind === "channel") return TROUBLED.has(fact?.[0]) ? fact[0].toLowerCase() : "";
  if (node.kind === "structure") return fact === "FAILED" ? "failed" : "";
  if (node.kind === "qmgr") return fact === false ? "ended" : "";
  if (node.kind !== "queue") return "";
  if (node.structure && facts(node.structure) === "FAILED") return "structure failed";
  const now = queueNow(fact);
  return node.type === "dead-letter" && now.depth ? "dead letters" : now.full ? "full" : "";
}

/** The name of a link in the facts, and whether an edge is from one queue manager to another with their link cut. */
const linkKey = (one, other) => `link:${[one, other].sort().join("|")}`;
const isCut = (model, { source, target }, facts) => facts(linkKey(roomOf(model, source), roomOf(model, target))) === false;

/** The alarms of some objects, and of the links of the queue managers among them, each [name, word]. */
function alarmsOf(model, nodes, facts) {
  return nodes.flatMap((node) => {
    const bad = trouble(node, facts), told = bad && !(node.structure && facts(node.structure) === "FAILED"); // its structure says it
    const cut = node.kind === "qmgr" ? model.links.filter((link) => link.includes(node.id) && facts(linkKey(...link)) === false) : [];
    return [...(told ? [[node.name ?? node.id, bad]] : []), ...cut.map((link) => [`link to ${link.find((id) => id !== node.id)}`, "cut"])];
  });
}

/** The words of what keeps a client outside, or of the clusters in which a queue manager is suspended; none for nothing. */
const haltsOf = (id, facts) => facts(`gate:${id}`) ?? [];

/** How an edge stands at a moment: null before it is there, else {off, why, at}; `off` is "" for one that is in use, "idle"
 *  where a program has ended or a channel is inactive, "stop" where nothing can go on, at the "source" or the "target";
 *  `word` is the state of the channel that stops it. */
function standing(model, edge, facts) {
  const { source, target, kind } = edge, ends = [["source", model.nodes.get(source)], ["target", model.nodes.get(target)]];
  if ([edge.id, source, target].some((id) => facts(id) === null)) return null;
  if (kind === "connects" && haltsOf(source, facts).length) return { off: "stop", why: `refused: ${haltsOf(source, facts).join(" ")}`, at: "target" };
  for (const [at, node] of ends) {
    const name = node.name ?? node.id, state = node.kind === "channel" && node.chltype !== "SVRCONN" ? facts(node.id)?.[0] ?? "INACTIVE" : "";
    if (!node.client && facts(roomOf(model, node.id)) === false) return { off: "stop", why: `${roomOf(model, node.id)} has ended`, at };
    if (TROUBLED.has(state)) return { off: "stop", why: `${name} is ${state}`, at, word: state.toLowerCase() };
    if (state === "INACTIVE") return { off: "idle", why: `${name} is INACTIVE`, at };
    if (node.kind === "program" && facts(node.id) === false) return { off: "idle", why: `${name} has ended`, at };
    if (node.kind !== "queue" || kind === "backout" || kind === "pulls") continue;
    const now = queueNow(facts(node.id));
    if (kind === "gets" && !now.get) return { off: "stop", why: `${name} has GET(DISABLED)`, at };
    if (kind !== "gets" && kind !== "initq" && !now.put) return { off: "stop", why: `${name} has PUT(DISABLED)`, at };
  }
  if (facts(edge.id) === false) return { off: "stop", why: `${ends[0][1].name} has NOTRIGGER`, at: "source" };
  return { off: "", why: "", at: "" };
}

/** How much an object tells: trouble first, then messages, programs, channels that run. */
function weight(node, facts) {
  const depth = node.kind === "queue" ? queueNow(facts(node.id)).depth : 0;
  const runs = node.kind === "channel" && facts(node.id)?.[0] === "RUNNING";
  return (trouble(node, facts) ? 100 : 0) + (depth ? 4 + Math.log2(depth) : 0) + (node.kind === "program" ? 2 : 0) + (runs ? 3 : 0);
}

/** The plan as a model: `nodes` by id, `edges` with `out` and `into` by end, `rooms` (queue managers, and the coupling
 *  facility of each group) in reading order with their objects and families, and `stacks` of queue managers alike. */
function modelOf(plan, facts) {
  const nodes = new Map(), rooms = new Map(), edges = [], out = new Map(), into = new Map(), shared = new Map();
  for (const qmgr of plan.qmgrs) rooms.set(qmgr.id, { ...qmgr, kind: "qmgr", objects: [], families: [], group: "" });
  for (const each of plan.groups) {
    rooms.set(each.id, { ...each, kind: "qmgr", facility: true, objects: [], families: [], group: each.id, structures: [] });
    for (const member of each.members) if (rooms.has(member)) rooms.get(member).group = each.id;
  }
  for (const one of plan.structures) {
    const structure = { ...one, kind: "structure" };
    nodes.set(one.id, structure);
    rooms.get(one.group)?.structures?.push(structure);
    for (const id of one.queues) shared.set(id, one.id);
  }
  for (const room of rooms.values()) nodes.set(room.id, room);
  for (const object of plan.objects) {
    const node = shared.has(object.id) ? { ...object, structure: shared.get(object.id) } : { ...object };
    if (node.kind === "program" && rooms.has(node.name)) node.manager = `queue manager ${node.name}`;
    nodes.set(node.id, node);
    if (!node.client) rooms.get(node.qmgr)?.objects.push(node); // a client stands outside
  }
  for (const [source, target, kind] of plan.edges) {
    if (!nodes.has(source) || !nodes.has(target)) continue;
    const edge = { source, target, kind, id: `edge:${source}>${target}:${kind}` };
    edges.push(edge);
    if (nodes.get(target).type === { backout: "backout", initq: "initiation" }[kind]) (nodes.get(target).named ??= []).push(edge.id);
    group(out, source, () => []).push(edge);
    group(into, target, () => []).push(edge);
  }
  instances(nodes, rooms);
  const clients = [...nodes.values()].filter((node) => node.client);
  for (const node of clients) node.stops = plan.stops?.[node.id] ?? [];
  const model = { nodes, rooms, clients, edges, out, into, links: plan.links, insides: new Map(), few: plan.objects.length <= FEW, look: { positions: {}, sites: {}, colors: {}, notes: {}, ...plan.look } };
  model.between = between(model);
  const rank = ranks(model);
  model.order = [...rooms.values()].sort((a, b) => rank.get(a.id) - rank.get(b.id));
  for (const room of model.order) room.families = families(model, room, facts);
  model.stacks = plan.look ? [] : alike(model, facts);
  return model;
}

/** Whether the card of an object has a tag about clusters on its upper edge. */
const tagged = (node) => Boolean(node.cluster && !node.framed) || node.instances > 1;

/** What clusters change: the frame of a queue manager says the clusters of its objects, and a local queue in a cluster knows
 *  how many instances it is one of. */
function instances(nodes, rooms) {
  const by = new Map(), local = [...nodes.values()].filter((node) => node.kind === "queue" && node.type === "local" && node.cluster);
  for (const node of local) for (const cluster of node.cluster.split(", ")) group(by, `${cluster}/${node.name}`, () => new Set()).add(node.qmgr);
  for (const node of local) node.instances = Math.max(...node.cluster.split(", ").map((cluster) => by.get(`${cluster}/${node.name}`).size));
  for (const node of nodes.values()) {
    const room = rooms.get(node.qmgr);
    if (node.cluster && room && !room.group && room.clusters === node.cluster.split(", ").sort().join(", ")) node.framed = true;
  }
}

/** The queue manager of an object, or what stands by itself: a queue manager, a client. */
const roomOf = (model, id) => { const { client, qmgr } = model.nodes.get(id); return client ? id : qmgr ?? id; };

/** The lines between queue managers, [source, target], in the direction of their traffic. */
function between(model) {
  const lines = new Map();
  for (const { source, target, kind } of model.edges) {
    const from = roomOf(model, source), to = roomOf(model, target);
    if (from !== to && kind !== "link" && model.rooms.has(from) && model.rooms.has(to)) lines.set(`${from}>${to}`, [from, to]);
  }
  return [...lines.values()];
}

/** The place of each queue manager in reading order: sources first, and in a circle the one that is fed most by those
 *  already placed (Eades, Lin, and Smyth), so that as few lines as possible run against the reading. */
function ranks(model) {
  const ins = new Map(), outs = new Map(), fed = new Map(), first = [], last = [];
  for (const id of model.rooms.keys()) { ins.set(id, new Set()); outs.set(id, new Set()); fed.set(id, 0); }
  for (const [from, to] of model.between) { outs.get(from).add(to); ins.get(to).add(from); }
  const left = new Set([...model.rooms.keys()].sort());
  const ready = [...left].filter((id) => !ins.get(id).size), ends = [...left].filter((id) => ins.get(id).size && !outs.get(id).size);
  const take = (id, list) => {
    list.push(id); left.delete(id);
    for (const to of outs.get(id)) { ins.get(to).delete(id); if (list === first) fed.set(to, fed.get(to) + 1); if (!ins.get(to).size && left.has(to)) ready.push(to); }
    for (const from of ins.get(id)) { outs.get(from).delete(id); if (!outs.get(from).size && left.has(from)) ends.push(from); }
  };
  while (left.size) {
    let id = ready.shift();
    if (id !== undefined) { if (left.has(id)) take(id, first); continue; }
    id = ends.shift();
    if (id !== undefined) { if (left.has(id)) take(id, last); continue; }
    const worth = (each) => outs.get(each).size - ins.get(each).size + 2 * fed.get(each);
    let best = null;
    for (const each of left) if (best === null || worth(each) > worth(best)) best = each;
    take(best, first);
  }
  return new Map([...first, ...last.reverse()].map((id, place) => [id, place]));
}

/** Queue managers that have the same partners and no alarm, three or more, are one stack in an estate of more than twelve. */
function alike(model, facts) {
  if (model.rooms.size <= 12) return [];
  const partners = new Map([...model.rooms.keys()].map((id) => [id, []])), by = new Map();
  for (const [from, to] of model.between) { partners.get(from).push(`>${to}`); partners.get(to).push(`<${from}`); }
  const refused = new Set(model.clients.filter((node) => haltsOf(node.id, facts).length).map((node) => node.qmgr));
  for (const room of model.order) if (!room.group && !refused.has(room.id) && !alarmsOf(model, [room, ...room.objects], facts).length) group(by, partners.get(room.id).sort().join(), () => []).push(room);
  return [...by.values()].filter((members) => members.length > 2).map((members) => ({ id: `stack:${members[0].id}`, members }));
}

/** What belongs together in a large queue manager: a way out, those that come in, and else what is connected, or named
 *  alike. Each family has its `zone`: in, here, or out. */
function families(model, room, facts) {
  if (room.objects.length <= SMALL || room.facility) return [];
  const degree = (id) => (model.out.get(id)?.length ?? 0) + (model.into.get(id)?.length ?? 0);
  const up = new Map(room.objects.map((node) => [node.id, node.id]));
  const find = (id) => { while (up.get(id) !== id) { up.set(id, up.get(up.get(id))); id = up.get(id); } return id; };
  const busy = (id) => (model.nodes.get(id).kind === "program" || model.nodes.get(id).chltype === "SVRCONN") && degree(id) > 2;
  for (const node of room.objects) for (const { source, target, kind } of model.out.get(node.id) ?? []) {
    if (up.has(target) && kind !== "initq" && !busy(source) && !busy(target)) up.set(find(source), find(target));
  }
  const parts = new Map(), made = new Map(), loose = [];
  for (const node of room.objects) group(parts, find(node.id), () => []).push(node);
  const put = (zone, key, title, objects) => {
    group(made, `${room.id}#${zone}:${key}`, () => ({ id: `${room.id}#${zone}:${key}`, room: room.id, zone, title, objects: [] })).objects.push(...objects);
  };
  for (const part of parts.values()) {
    const transmission = part.find((node) => node.type === "transmission"), channel = part.find(sends), [only] = part;
    if (transmission || channel) {
      const talk = channel && model.out.get(channel.id)?.find((edge) => edge.kind === "talks");
      const far = talk ? roomOf(model, talk.target) : transmission ? transmission.name.replace(/\.(XQ|XMIT|XMITQ)$/, "") : channel.name;
      put("out", far, far, part);
    } else if (part.length === 1 && only.kind === "channel") put("in", only.chltype === "SVRCONN" ? "clients" : "receivers", only.chltype === "SVRCONN" ? "clients" : "receivers", part);
    else if (part.length === 1 && only.kind === "program") put("here", "programs", "programs", part);
    else if (part.length > 9) {
      const head = part.reduce((best, node) => (degree(node.id) > degree(best.id) ? node : best));
      put("here", head.id, head.name, part);
    } else loose.push(part);
  }
  const split = (some, depth) => {
    const by = new Map();
    for (const part of some) {
      const head = part.find(holds) ?? part[0];
      group(by, head.name.split(/[._]/).slice(0, depth).join("."), () => []).push(part);
    }
    for (const [key, list] of by) {
      if (list.length > 14 && depth < 3) split(list, depth + 1);
      else if (list.length < 3 && total(list, (part) => part.length) < 5) put("here", "others", "other queues", list.flat());
      else put("here", key, `${key}.*`, list.flat());
    }
  };
  split(loose, 1);
  const telling = (family) => Math.max(...family.objects.map((node) => weight(node, facts))) + family.objects.length / 1e3;
  const found = [...made.values()].map((family) => ({ family, tells: telling(family) }));
  found.sort((a, b) => b.tells - a.tells || (a.family.id < b.family.id ? -1 : 1));
  return found.map(({ family }) => family);
}

/** Everything a program reaches from an object on, and everything that leads to it; an object's way upstream ends at a
 *  transmission queue, which serves many names. */
function routeOf(model, id) {
  const on = new Set();
  const walk = (edges, end, passes) => {
    const todo = [id], done = new Set();
    while (todo.length) {
      const at = todo.pop();
      if (done.has(at)) continue;
      done.add(at); on.add(at);
      for (const edge of edges.get(at) ?? []) if (passes(edge)) todo.push(edge[end]);
    }
  };
  walk(model.out, "target", (edge) => edge.kind !== "backout" && edge.kind !== "initq");
  walk(model.into, "source", (edge) => model.nodes.get(edge.target).type !== "transmission" || edge.target === id);
  return [...on];
}

const PLURALS = { alias: "aliases", remote: "remote definitions", RCVR: "receiver channels", SVRCONN: "client channels" };

/** Objects alike that nothing tells apart, as one stack, unless there are few of any: aliases of one queue, receivers that
 *  nothing uses, idle queues, queues that only a topic fills. An object that is `noted` in the plan stays by itself. */
function folded(model, objects, facts) {
  const keep = [], by = new Map(), where = new Map();
  if (model.few) return { keep: objects.slice(), where };
  const kind = (node) => {
    const to = (model.out.get(node.id) ?? []).map((edge) => edge.target).sort().join(), [from, more] = model.into.get(node.id) ?? [];
    if (from?.kind === "subscribes" && !more && !to && !trouble(node, facts) && !node.noted) return from.source;
    if (trouble(node, facts) || from || node.noted) return "";
    if (receives(node)) return to ? "" : node.chltype;
    if (node.kind !== "queue" || queueNow(facts(node.id)).depth || node.structure) return "";
    if (!to) return node.type === "dead-letter" ? "" : "idle";
    return NAMES_ONLY.has(node.type) ? `${node.type}|${to}` : "";
  };
  for (const node of objects) { const key = kind(node); if (key) group(by, key, () => []).push(node); else keep.push(node); }
  for (const [key, list] of by) {
    if (list.length < 4) { keep.push(...list); continue; }
    const id = `fold:${list[0].id}`, words = key === "idle" ? "idle queues" : model.into.has(list[0].id) ? "subscribers" : PLURALS[list[0].chltype ?? list[0].type] ?? "alike";
    keep.push({ id, kind: "stack", qmgr: list[0].qmgr, name: `${list.length} ${words}`, type: list[0].type, of: list });
    for (const node of list) where.set(node.id, id);
  }
  return { keep, where };
}

/** The clients as cards; those of one channel that no gate has refused are one, if there are four or more in a large lab. */
function clientsOf(model) {
  const by = new Map();
  for (const node of model.clients) group(by, node.stops.length || model.few ? node.id : node.client, () => []).push(node);
  return [...by.values()].flatMap((list) => (list.length < 4 ? list : [{ id: `fold:${list[0].id}`, kind: "stack", qmgr: list[0].qmgr, name: `${list.length} clients`, of: list }]));
}

/** From left to right in a queue manager: programs that put, receivers, names, queues, ways out, programs that get. */
function column(node, model) {
  if (node.kind === "program") return model.out.get(node.id)?.length ? (model.into.get(node.id)?.length ? 4 : 0) : 7;
  if (node.kind === "channel") return sends(node) ? 6 : 1;
  return { alias: 2, remote: 3, cluster: 3, topic: 3, transmission: 5 }[node.type] ?? (node.kind === "more" ? 9 : 4);
}

/** The cards of a queue manager or a family: the most telling, with what they are joined to, and all that are in trouble;
 *  the rest behind one more. */
function cardsOf(model, objects, view, key, facts) {
  let { keep, where } = folded(model, objects, facts);
  const most = view.more.includes(key) ? 400 : CARDS;
  if (keep.length > most && !model.few) {
    const byId = new Map(keep.map((node) => [node.id, node])), chosen = new Set();
    const tells = new Map(keep.map((node) => [node.id, node.kind === "stack" ? 0 : weight(node, facts) + (model.into.get(node.id)?.length ?? 0) / 10]));
    const ranked = keep.slice().sort((a, b) => tells.get(b.id) - tells.get(a.id) || (a.id < b.id ? -1 : 1));
    for (const node of ranked) {
      if (chosen.size >= most && !trouble(node, facts)) continue;
      chosen.add(node.id);
      const joined = [...(model.out.get(node.id) ?? []), ...(model.into.get(node.id) ?? [])].flatMap((edge) => [edge.source, edge.target]);
      for (const id of joined) if (byId.has(id) && chosen.size < most + 4) chosen.add(id);
    }
    const rest = keep.length - chosen.size;
    for (const node of keep) if (!chosen.has(node.id)) where.set(node.id, `more:${key}`);
    keep = keep.filter((node) => chosen.has(node.id));
    if (rest) keep.push({ id: `more:${key}`, kind: "more", name: `and ${rest} more`, key });
  }
  const places = keep.map((node, place) => [column(node, model), place, node]);
  return { keep: places.sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, , node]) => node), where };
}

/** What some objects amount to: queues, channels, messages, those that uncommitted gets hold besides, and how many objects
 *  are in trouble. */
function census(objects, facts) {
  return {
    queues: objects.filter((node) => node.kind === "queue").length,
    channels: objects.filter((node) => node.kind === "channel").length,
    messages: total(objects, (node) => (node.kind === "queue" ? queueNow(facts(node.id)).depth : 0)),
    held: total(objects, (node) => (node.kind === "queue" ? queueNow(facts(node.id)).held : 0)),
    troubled: objects.filter((node) => trouble(node, facts) && (!node.structure || facts(node.structure) !== "FAILED")).length, // its structure counts
  };
}
