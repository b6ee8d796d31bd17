// A picture as other programs take it: its boxes and lines as plain values, and these as Mermaid, draw.io, and GraphML text.

const CONTAINS = new Set(["group", "cluster", "site", "room", "structure", "panel"]);
const CHANNEL_COLORS = { run: ["card", "gets"], bind: ["card", "puts"], bad: ["expired_ground", "alarm"], stop: ["expired_ground", "alarm"] };
const BOX_COLORS = { // of types of boxes: the roles of their fill ("" for none) and of their outline
  room: ["panel", "edge"], closed: ["card", "structure"], stacked: ["card", "structure"], group: ["", "structure"], cluster: ["", "puts"], structure: ["paper", "edge"],
  site: ["", "structure"], note: ["level", ""], panel: ["paper", "live"], chip: ["card", "edge"], zone: ["", ""], rest: ["", "structure"], program: ["level", "live"], stack: ["card", "edge"], more: ["", "structure"],
};
const LINE_COLORS = { puts: "puts", transmits: "puts", gets: "gets", pulls: "gets", delivers: "puts", run: "gets", bad: "alarm", cut: "alarm" };
const BROKEN = new Set(["repositories", "bad", "cut", "remote", "backout", "initq", "link"]); // lines that are drawn dashed

/** How many queues, channels, and messages some objects are, in words. */
function amounts(objects, facts) {
  const here = census(objects.filter((node) => exists(node, facts)), facts);
  return [plural(here.queues, "queue"), here.channels ? plural(here.channels, "channel") : "", here.messages ? plural(here.messages, "message") : "no messages"].filter(Boolean).join(" · ");
}

/** What is true of a queue, in a few words. */
function queueWords(node, facts) {
  const now = queueNow(facts(node.id)), stops = [now.put ? "" : "no puts", now.get ? "" : "no gets"];
  if (NAMES_ONLY.has(node.type)) return [node.target ? `→ ${node.target.replace("@", " at ")}` : "", ...(node.type === "model" ? [] : stops)];
  const [expired, uncommitted] = [now.expired && `${counted(now.expired)} expired`, now.uncommitted && `${counted(now.uncommitted)} not committed`];
  const bad = trouble(node, facts);
  return [now.depth ? plural(now.depth, "message") : now.held ? "" : "empty", expired, uncommitted, now.held && `${counted(now.held)} held by ${now.holder}`, bad === "dead letters" ? "" : bad, ...stops];
}

/** The kind, the name, and the words of a box. */
function namesOf(box, facts) {
  const { node, room, family, stack } = box, out = room ? [suspension(room, facts), facts(room.id) === false && "ended"].filter(Boolean).map((word) => ` · ${word}`).join("") : "";
  if (room) return [room.facility ? "facility" : "queue manager", room.facility ? `${room.id} coupling facility` : room.id, amounts(room.objects, facts) + out];
  if (stack) return ["queue managers", `${stack.members.length} like ${stack.members[0].id}`, amounts(stack.members.flatMap((each) => each.objects), facts)];
  if (family) return ["family", `${family.zone === "out" ? "→ " : ""}${family.title}`, plural(family.objects.length, "object")];
  const frame = { group: "queue sharing group", cluster: "cluster" }[box.type];
  if (!node) return [frame ?? box.type, box.title, frame ?? ""];
  if (node.kind === "queue") return [`${node.type} queue`, node.name, queueWords(node, facts).filter(Boolean).join(" · ")];
  if (node.kind === "channel") { const [state, , doubt] = facts(node.id) ?? ["INACTIVE", "", 0]; return ["channel", node.name, doubt ? `${state} · ${doubt} in doubt` : state]; }
  return [node.kind, node.name, node.kind === "structure" && facts(node.id) === "FAILED" ? "failed" : ""];
}

/** The colors of a box, as roles of the palette: fill and outline. */
function colorsOf(box, facts) {
  const { node, room, type } = box;
  if ((node && !node.of && node.kind !== "more" && trouble(node, facts) && node.kind !== "channel") || (room && facts(room.id) === false)) return [BOX_COLORS[type]?.[0] ?? "card", "alarm"];
  if (type !== "card") return BOX_COLORS[type];
  if (node.kind === "channel") return CHANNEL_COLORS[(STATES[facts(node.id)?.[0] ?? "INACTIVE"] ?? BINDING)[2]] ?? ["card", "structure"];
  return BOX_COLORS[node.kind] ?? [NAMES_ONLY.has(node.type) ? "panel" : "card", "edge"];
}

/** The outline of a box: rectangle, rounded, pill, or arrow. */
const outlineOf = ({ type, node }) => (type === "card" ? { channel: "arrow", program: "pill", more: "pill" }[node.kind] ?? "rounded" : type === "rest" || type === "chip" ? "rounded" : "rectangle");

/** A picture as plain values. Boxes have id, parent ("" for none; never after its boxes), kind, name, words, said, shape,
 *  fill and line (roles of the palette, "" for none), dashed, holds (whether boxes can be in it), and their place; lines
 *  have source, target, kind, label, color (a role), dashed, both and heads (arrowheads at both ends, and at all), their corners, and at, where the label is. */
function shapesOf(model, scene, facts, time) {
  const pieces = piecesOf(model, scene, facts, 1, time), boxes = [], lines = [], ids = new Set(scene.boxes.map((box) => box.id));
  const around = (box) => boxes.filter((each) => each.holds && box.x >= each.x - 1 && box.y >= each.y - 1 && box.x + box.w <= each.x + each.w + 1 && box.y + box.h <= each.y + each.h + 1);
  for (const { box } of pieces) {
    if (!box) continue;
    const [kind, name, words] = namesOf(box, facts).map(visible), [fill, line] = colorsOf(box, facts), place = { x: tenth(box.x), y: tenth(box.y), w: tenth(box.w), h: tenth(box.h) };
    const parent = around(box).reduce((best, each) => (!best || each.w * each.h < best.w * best.h ? each : best), null);
    boxes.push({ id: box.id, parent: parent?.id ?? "", kind, name, words, said: visible(saidOf(box, facts, time)), shape: outlineOf(box), fill, line, own: model.look.colors[box.id] ?? "", dashed: ["group", "cluster", "rest"].includes(box.type), holds: CONTAINS.has(box.type), ...place });
  }
  for (const { line } of pieces) {
    if (!line) continue;
    const look = lookOf(model, line, facts), [source, target] = line.id.split(">"), [{ source: from, target: to }] = line.of;
    const ends = ids.has(source) && ids.has(target) ? [source, target] : [scene.where[from] ?? from, scene.where[to] ?? to];
    const { label } = line, middle = label ? [label.x + label.w / 2, label.y + label.h / 2] : alongOf(line.points, 0.5);
    lines.push({ source: ends[0], target: ends[1], kind: look === "talks" || look === "run" || look === "bad" || look === "cut" ? line.of[0].kind : look, label: look === "cut" ? "cut" : visible(look === "connects" ? gateOf(line, facts).join(" ") : label?.text ?? ""), color: LINE_COLORS[look] ?? "structure", dashed: BROKEN.has(look) || Boolean(standingOf(model, line, facts).off), both: Boolean(line.both) && line.of.some((edge) => edge.kind !== "link"), heads: line.of.some((edge) => edge.kind !== "link"), at: middle.map(tenth), points: line.points.map(([x, y]) => [tenth(x), tenth(y)]) });
  }
  return { boxes, lines, width: tenth(scene.width), height: tenth(scene.height) };
}

/** Short ids for boxes: their names can have anything in them. */
const numbered = (boxes) => new Map(boxes.map((box, number) => [box.id, `b${number}`]));

/** Words in a Mermaid label, where these characters would mean something. */
const mermaidWords = (words) => words.replace(/["#;<>&`\\{}|[\]]/g, (c) => `#${c.charCodeAt(0)};`);

const MERMAID_SHAPES = { arrow: ['>"', '"]'], pill: ['(["', '"])'], rounded: ['("', '")'], rectangle: ['["', '"]'] };

/** A picture as a Mermaid flowchart. */
function mermaidOf({ boxes, lines }, title) {
  const ids = numbered(boxes), out = [`---`, `title: ${JSON.stringify(visible(title))}`, `---`, "flowchart LR"], bad = [];
  const label = (box) => mermaidWords(box.name) + (box.words ? `<br/>${mermaidWords(box.words)}` : "");
  const write = (parent, indent) => {
    for (const box of boxes) {
      if (box.parent !== parent || box.kind === "zone") continue;
      const id = ids.get(box.id), inside = boxes.some((each) => each.parent === box.id), [before, after] = MERMAID_SHAPES[box.shape];
      if (box.line === "alarm") bad.push(id);
      if (inside) { out.push(`${indent}subgraph ${id}["${mermaidWords(box.name)}"]`); write(box.id, `${indent}  `); out.push(`${indent}end`); }
      else out.push(`${indent}${id}${before}${label(box)}${after}`);
    }
  };
  write("", "  ");
  for (const line of lines) {
    const arrow = `${line.both ? "<" : ""}${line.dashed ? "-." : "--"}${line.heads ? (line.dashed ? "->" : ">") : "-"}`, [source, target] = [ids.get(line.source), ids.get(line.target)];
    if (source && target) out.push(`  ${source} ${arrow}${line.label ? `|"${mermaidWords(line.label)}"|` : ""} ${target}`);
  }
  for (const box of boxes) if (box.own[0] === "#" && box.kind !== "zone") out.push(`  style ${ids.get(box.id)} stroke:${box.own},stroke-width:3px`);
  if (bad.length) out.push("  classDef bad stroke:#a63d00,stroke-width:2px,stroke-dasharray:6 4", `  class ${bad.join(",")} bad`);
  return `${out.join("\n")}\n`;
}

const DRAWIO_SHAPES = { arrow: "shape=step;perimeter=stepPerimeter;fixedSize=1;size=12;", pill: "rounded=1;arcSize=50;", rounded: "rounded=1;arcSize=14;", rectangle: "rounded=1;arcSize=4;" };

/** A picture as a draw.io file, with one cell a box, inside the cell of the box around it, and one a line, with its
 *  corners. `colors` are those of the palette by role. */
function drawioOf({ boxes, lines }, title, colors) {
  const ids = numbered(boxes), byId = new Map(boxes.map((box) => [box.id, box])), cells = ['<mxCell id="0"/>', '<mxCell id="1" parent="0"/>'];
  const value = (...words) => words.filter(Boolean).map(escaped).join("&#10;"), ink = `fontColor=${colors.ink};fontSize=12;html=0;whiteSpace=wrap;`;
  for (const box of boxes) {
    const parent = byId.get(box.parent), [x, y] = parent ? [tenth(box.x - parent.x), tenth(box.y - parent.y)] : [box.x, box.y];
    const look = `fillColor=${colors[box.fill] ?? "none"};strokeColor=${colors[box.own] ?? (box.own || (colors[box.line] ?? "none"))};${box.dashed ? "dashed=1;" : ""}`;
    const where = box.holds ? "verticalAlign=top;align=left;spacingLeft=10;fontStyle=1;container=1;collapsible=0;" : "";
    cells.push(`<mxCell id="${ids.get(box.id)}" value="${value(box.name, box.words)}" style="${DRAWIO_SHAPES[box.shape]}${ink}${look}${where}" vertex="1" parent="${parent ? ids.get(parent.id) : 1}"><mxGeometry x="${x}" y="${y}" width="${box.w}" height="${box.h}" as="geometry"/></mxCell>`);
  }
  lines.forEach((line, number) => {
    const [first, ...middle] = line.points, last = middle.pop(), end = (name, id, [x, y]) => {
      const box = byId.get(id);
      return box ? `${name}X=${tenth(((x - box.x) / box.w) * 100) / 100};${name}Y=${tenth(((y - box.y) / box.h) * 100) / 100};${name}Perimeter=0;` : "";
    };
    const heads = `endArrow=${line.heads ? "block" : "none"};startArrow=${line.both ? "block" : "none"};endFill=1;startFill=1;endSize=5;startSize=5;`;
    const style = `rounded=1;${ink}strokeColor=${colors[line.color]};strokeWidth=1.6;labelBackgroundColor=${colors.paper};${line.dashed ? "dashed=1;" : ""}${heads}${end("exit", line.source, first)}${end("entry", line.target, last)}`;
    const points = middle.map(([x, y]) => `<mxPoint x="${x}" y="${y}"/>`).join("");
    const joined = [["source", line.source], ["target", line.target]].filter(([, id]) => ids.has(id)).map(([name, id]) => ` ${name}="${ids.get(id)}"`).join("");
    const loose = `<mxPoint x="${first[0]}" y="${first[1]}" as="sourcePoint"/><mxPoint x="${last[0]}" y="${last[1]}" as="targetPoint"/>`;
    cells.push(`<mxCell id="l${number}" value="${value(line.label)}" style="${style}" edge="1" parent="1"${joined}><mxGeometry relative="1" as="geometry">${loose}<Array as="points">${points}</Array></mxGeometry></mxCell>`);
  });
  return `<mxfile host="mqlab"><diagram id="mqlab" name="${escaped(title)}"><mxGraphModel grid="1" gridSize="10" background="${colors.paper}"><root>${cells.join("")}</root></mxGraphModel></diagram></mxfile>\n`;
}

/** A picture as GraphML: nodes have name, kind, words, parent ("" for none), and x, y, width, height in pixels; edges kind and label. */
function graphmlOf({ boxes, lines }) {
  const keys = [...["name", "kind", "words", "parent", "x", "y", "width", "height"].map((name) => ["node", name]), ["edge", "kind"], ["edge", "label"]];
  const declared = keys.map(([of, name], at) => `  <key id="d${at}" for="${of}" attr.name="${name}" attr.type="${at > 3 && at < 8 ? "double" : "string"}"/>`);
  const told = (values, from) => values.map((value, at) => `<data key="d${from + at}">${escaped(value)}</data>`).join("");
  const nodes = boxes.map(({ id, name, kind, words, parent, x, y, w, h }) => `    <node id="${escaped(id)}">${told([name, kind, words, parent, x, y, w, h], 0)}</node>`);
  const before = (line, at) => lines.slice(0, at).filter((each) => each.source === line.source && each.target === line.target).length;
  const edges = lines.map((line, at) => `    <edge source="${escaped(line.source)}" target="${escaped(line.target)}" id="${before(line, at)}">${told([line.kind, line.label], 8)}</edge>`);
  return `<?xml version="1.0" encoding="utf-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n${declared.join("\n")}\n  <graph edgedefault="directed">\n${[...nodes, ...edges].join("\n")}\n  </graph>\n</graphml>\n`;
}

const EXPORTS = { shapes: (shapes) => shapes, mermaid: mermaidOf, drawio: drawioOf, graphml: graphmlOf };
