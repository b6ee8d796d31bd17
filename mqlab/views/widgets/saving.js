// Taking along what a player shows: the picture as it is opened now, as a file.

const LOOKS = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "stroke-opacity", "opacity"];
const WORDS = ["fill", "font-family", "font-size", "font-weight", "text-anchor", "opacity"];
const ROLES = ["paper", "panel", "card", "edge", "ink", "muted", "live", "level", "expired_ground", "alarm", "puts", "gets", "structure"];
const CAPTION = 48; // pixels above a picture, for two lines
const LARGEST_IMAGE = 8000; // pixels, of what every browser draws

/** The colors of the theme at an element, as #rrggbb, by their roles. */
function colorsAt(el) {
  const probe = el.appendChild(h("i", { hidden: true })), found = {};
  for (const role of ROLES) {
    probe.style.color = `var(--mq-${role.replace("_", "-")})`;
    found[role] = `#${getComputedStyle(probe).color.match(/[\d.]+/g).slice(0, 3).map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
  }
  probe.remove();
  return found;
}

/** What is seen at step `n`, whole, as an SVG element that needs no style sheet, below the time and what there is. */
function stillOf(player, n = player.position) {
  const { canvas: { model, scene }, recording } = player, time = recording.steps.time_us[n], facts = (id) => recording.fact(id, n), said = recording.fact("summary", n) ?? "";
  const lines = [[recording.clock(time, 0), 16, "title"], [said, 13, "said"]], wide = Math.max(480, scene.width), high = scene.height + CAPTION;
  const svg = s("svg", { xmlns: SVG, viewBox: `0 0 ${wide} ${high}`, width: wide, height: high, role: "img", "aria-label": `Topology: ${recording.clock(time, 0)}, ${said}` });
  const words = lines.map(([line, size, kind], row) => text(line, 14, 22 + 19 * row, wide - 28, size, kind, 1)).join("");
  svg.innerHTML = `${rect("paper", 0, 0, wide, high)}${words}<g transform="translate(0 ${CAPTION})">${pictureOf(model, scene, facts, 1, time)}</g>`;
  const hidden = player.root.appendChild(h("div", { class: "mq-heard", "aria-hidden": "true" }, svg));
  for (const part of svg.querySelectorAll("*")) {
    if (part.tagName === "g" || part.tagName === "title") continue;
    const style = getComputedStyle(part);
    for (const name of /^t/.test(part.tagName) ? WORDS : LOOKS) part.setAttribute(name, style.getPropertyValue(name));
  }
  for (const part of svg.querySelectorAll("*")) for (const name of ["class", "style", "data-part"]) part.removeAttribute(name);
  hidden.remove();
  return svg;
}

/** An SVG element as a PNG image, twice as sharp. */
async function pngOf(svg) {
  const image = new Image(), [, , wide, high] = svg.getAttribute("viewBox").split(" ").map(Number), fits = Math.min(2, LARGEST_IMAGE / Math.max(wide, high));
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
  await image.decode();
  const paper = h("canvas", { width: Math.round(wide * fits), height: Math.round(high * fits) });
  paper.getContext("2d").drawImage(image, 0, 0, paper.width, paper.height);
  return new Promise((done) => paper.toBlob(done, "image/png"));
}

/** The boxes and lines that are seen now, in a form of export.js. */
function exportOf(player, form) {
  const { canvas } = player, title = `${player.heading.textContent}, ${player.recording.clock(canvas.time, 0)}`;
  return EXPORTS[form](shapesOf(canvas.model, canvas.scene, canvas.facts, canvas.time), title, colorsAt(player.root));
}

const FILES = { // what a button says, the end of the name, what the file holds
  PNG: ["png", (player) => pngOf(stillOf(player))],
  SVG: ["svg", (player) => new Blob([new XMLSerializer().serializeToString(stillOf(player))], { type: "image/svg+xml" })],
  "draw.io": ["drawio", (player) => new Blob([exportOf(player, "drawio")], { type: "application/xml" })],
  Mermaid: ["mmd", (player) => new Blob([exportOf(player, "mermaid")], { type: "text/plain" })],
  GraphML: ["graphml", (player) => new Blob([exportOf(player, "graphml")], { type: "application/xml" })],
};

/** Hand the reader a file of what is seen now; its name tells the title and the time. */
async function saveAs(player, words) {
  const [end, make] = FILES[words], title = player.heading.textContent.toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, 40).replace(/^-|-$/g, "") || "picture";
  const name = `${title}-${player.recording.clock(player.value("time_us"), 0).replaceAll(":", "-")}.${end}`;
  handOver(await make(player), name, player.root);
}

/** Have the browser save a file. */
function handOver(file, name, root) {
  const address = URL.createObjectURL(file), link = h("a", { href: address, download: name, hidden: true });
  root.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

/** The menu of formats. */
function saveMenu(player) {
  const head = h("summary", { title: "The picture as a file, as it is opened now" }, "Save");
  const press = async (words) => {
    menu.open = false;
    head.textContent = "Saving…";
    try { await saveAs(player, words); } finally { head.textContent = "Save"; }
  };
  const menu = h("details", { class: "mq-save", onkeydown: (event) => { if (event.key === "Escape") { menu.open = false; head.focus(); event.stopPropagation(); } } },
    head, h("div", {}, ...Object.keys(FILES).map((words) => h("button", { type: "button", onclick: () => press(words) }, words))));
  return menu;
}
