// The page of a report: the estate drawn and marked, and what a click and the filter do. The list is there without it.

const WORST = ["error", "warning", "note", "open"];

/** The picture of an estate, with the findings that the list shows. */
class Marked extends Canvas {
  draw() {
    super.draw();
    const at = new Map(), boxes = new Map(this.scene.boxes.map((box) => [box.id, box])), by = 1 / Math.min(1, Math.max(0.5, this.camera.k));
    for (const each of this.options.shown()) group(at, this.seenAt(each.dataset.node), () => []).push(each.dataset.severity);
    this.over.replaceChildren(...[...at].filter(([id]) => boxes.has(id)).map(([id, found]) => {
      const { x, y, w } = boxes.get(id), worst = WORST.find((each) => found.includes(each)), many = found.length > 1 ? String(found.length) : "", wide = many && 6 + 8 * many.length;
      const sign = s("g", { class: `check-sign ${worst}` });
      sign.innerHTML = this.options.signs[worst];
      return s("g", { class: "check-badge", transform: `translate(${x + w - (16 + +wide) * by} ${y - 10 * by}) scale(${by})` },
        ...(many ? [s("rect", { x: 4, y: 0.5, width: 18 + wide, height: 19, rx: 9.5 }), s("text", { class: "many", x: 23, y: 14 }, many)] : []), sign);
    }));
  }

  /** Bring an object into sight and mark it: where it is, or, out of a family too large to open, its route alone. */
  async lookAt(id) {
    if (this.box(id)?.id !== id) {
      const node = this.model.nodes.get(id), family = this.model.rooms.get(roomOf(this.model, id))?.families.find((each) => each.objects.includes(node));
      const large = family?.objects.length > ALL;
      if (large && routeOf(this.model, id).length <= ALL) await this.only(id);
      else {
        if (this.view.route) await this.only("");
        if (!large) await this.reveal(id);
      }
    }
    this.mark("mq-selected", [this.seenAt(id)]);
    await this.bring(id, true);
  }

  /** A press on a queue manager opens or closes it, and shows what breaks. */
  async press(key) {
    const box = this.scene.boxes.find((each) => each.id === key);
    await super.press(key);
    if (["room", "closed"].includes(box?.type)) this.options.breaks(box.room.id);
  }

  /** The boxes and lines of a route where no message comes if an object of it, or a queue manager, is down, and its start. */
  beyond(route, id) {
    const left = [route[0], ...route.slice(Math.max(0, route.findIndex((key) => key === id || key.startsWith(`${id}/`))))];
    return left.flatMap((key, n) => [this.seenAt(key), (n > 1 && this.wayOf(left[n - 1], key)?.[1]) || this.seenAt(key)]);
  }

  /** Let queue manager by queue manager appear, and lines last. */
  assemble() {
    if (this.still.matches) return;
    const rooms = this.model.order.map((room) => room.id), pause = Math.min(180, 1400 / Math.max(1, rooms.length));
    for (const [key, { g, kind }] of this.pieces) {
      const turn = kind === "line" ? rooms.length : rooms.findIndex((id) => key === id || key.startsWith(`${id}/`) || key.startsWith(`${id}#`));
      g.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 360, delay: pause * Math.max(0, turn), fill: "backwards" });
    }
    this.over.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 300, delay: pause * rooms.length + 200, fill: "backwards" });
  }
}

/** Copy the text of an element, or select it where a page may not copy. */
async function copyFrom(button, from) {
  try { await navigator.clipboard.writeText(from.textContent); button.textContent = "Copied"; } catch {
    getSelection().selectAllChildren(from);
    button.textContent = "Selected: press Control+C";
  }
}

/** What is behind a Play button: a player of a proof, from its first step on. */
async function playProof(button, elk) {
  const steps = atob(button.nextElementSibling.textContent), el = h("div", { class: "mqlab-player check-play" });
  const player = boot(el, await unpack(Uint8Array.from(steps, (c) => c.charCodeAt(0))), { title: "The proof", elk });
  button.replaceWith(el);
  player.go(+button.dataset.step);
  player.play();
}

/** Give a part of a page its buttons that copy and play. */
function offer(part, elk) {
  for (const head of part.querySelectorAll("h3[data-copy]:not(:has(button))")) {
    const button = h("button", { type: "button", onclick: () => copyFrom(button, head.nextElementSibling) }, "Copy");
    head.append(button);
  }
  for (const play of part.querySelectorAll("button[hidden]")) { play.hidden = false; play.onclick = () => playProof(play, elk); }
}

export const bootReview = (page) => offer(page, elkFrom(page.getElementById("elk").textContent.trim()));

export async function bootCheck(page) {
  const all = [...page.querySelectorAll(".check-finding")], filter = page.querySelector(".check-filter"), select = filter.querySelector("select");
  const shown = () => all.filter((each) => !each.hidden), estate = page.getElementById("estate").textContent.trim(), elk = elkFrom(page.getElementById("elk").textContent.trim());
  let canvas = null;
  const sift = () => {
    const wanted = new Set([...filter.querySelectorAll("input:checked")].map((box) => box.value));
    for (const each of all) each.hidden = !wanted.has(each.dataset.severity) || (select.value && select.value !== each.dataset.qmgr);
    for (const part of page.querySelectorAll(".check-list section")) part.hidden = !part.querySelector(".check-finding:not([hidden])");
    canvas?.draw();
  };
  let looked = Promise.resolve();
  const show = ({ dataset: { node } }) => {
    if (canvas?.model.nodes.has(node)) looked = looked.then(() => canvas.lookAt(node));
  };
  page.querySelector(".check-list").addEventListener("toggle", ({ target }) => {
    if (!target.open || !target.matches(".check-finding")) return;
    offer(target, elk);
    show(target);
  }, true);
  filter.addEventListener("change", sift);
  filter.hidden = false;
  if (estate) {
    const section = page.querySelector(".check-picture"), el = section.querySelector(".mq-picture"), told = section.querySelector("[role=status]");
    section.hidden = false;
    const { plan, facts, routes, breaks } = await unpack(Uint8Array.from(atob(estate), (c) => c.charCodeAt(0))), fact = (id) => facts[id], model = modelOf(plan, fact);
    const { view, scene } = await openingOf(await elk(), model, fact, [el.clientWidth / 0.9, el.clientHeight / 0.9]);
    const signs = Object.fromEntries(WORST.map((name) => [name, filter.querySelector(`.check-sign.${name}`)?.innerHTML ?? ""]));
    const broken = (id) => {
      const lost = (breaks[id] ?? []).map((number) => routes[number]), name = model.nodes.get(id)?.name ?? id;
      canvas.mark("check-broken", lost.flatMap((route) => canvas.beyond(route, id)));
      told.textContent = lost.length ? `What breaks if ${name} is down? In red: ${lost.length} of ${routes.length} routes no longer deliver` : "";
      return name;
    };
    const pressed = (id) => {
      const finding = shown().find((each) => each.dataset.node === id), name = broken(id);
      if (id && !finding) told.textContent ||= `Nothing was found at ${name}`;
      if (!finding) return;
      finding.open = true;
      finding.querySelector("summary").focus();
      finding.scrollIntoView({ block: "nearest" });
    };
    canvas = new Marked(el, { plan, scene: packed(model, scene), view, facts: fact, elk, shown, signs, pressed, breaks: broken, page: true });
    window.picture = canvas;
    await canvas.fit(0);
    canvas.draw();
    canvas.assemble();
    section.addEventListener("click", ({ target }) => { const by = target.dataset?.zoom; if (by) by !== "fit" ? canvas.zoom(+by) : canvas.view.route ? canvas.only("") : canvas.fit(); });
  }
  const wanted = all.find((each) => `#${each.id}` === location.hash);
  if (wanted) { wanted.open = true; wanted.scrollIntoView(); }
}
