// Taking along what a player shows: the picture as it is opened now, as a file that other programs edit.

const ROLES = ["paper", "panel", "card", "edge", "ink", "muted", "live", "level", "expired_ground", "alarm", "puts", "gets", "structure"];

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

/** The boxes and lines that are seen now, in a form of export.js. */
function exportOf(player, form) {
  const { canvas } = player, title = `${player.heading.textContent}, ${player.recording.clock(canvas.time, 0)}`;
  return EXPORTS[form](shapesOf(canvas.model, canvas.scene, canvas.facts, canvas.time), title, colorsAt(player.root));
}

const FILES = { "draw.io": "drawio", Mermaid: "mermaid", GraphML: "graphml" }; // what a button says, and a form of export.js

/** Hand the reader a file of what is seen now; its name tells the title and the time. */
function saveAs(player, form) {
  const title = player.heading.textContent.toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, 40).replace(/^-|-$/g, "") || "picture";
  const name = `${title}-${player.recording.clock(player.value("time_us"), 0).replaceAll(":", "-")}.${form === "mermaid" ? "mmd" : form}`;
  handOver(new Blob([exportOf(player, form)], { type: form === "mermaid" ? "text/plain" : "application/xml" }), name, player.root);
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
  const press = (form) => { menu.open = false; saveAs(player, form); };
  const menu = h("details", { class: "mq-save", onkeydown: (event) => { if (event.key === "Escape") { menu.open = false; head.focus(); event.stopPropagation(); } } },
    head, h("div", {}, ...Object.entries(FILES).map(([words, form]) => h("button", { type: "button", onclick: () => press(form) }, words))));
  return menu;
}
