// The picture in a page: what is drawn, the camera over it, and what a hand or a key does with it. What there is to see
// and where comes from the pure scripts; nothing is loaded from anywhere.

const GLIDE = 380; // milliseconds
const PAN = 80; // pixels a key press
const MOST = 3.2; // scale: a small lab fills the screen, and no text is as large as a title
const READ = [0.5, 0.6]; // scales: the whole is never smaller, as all cards keep their names; what is beyond is a drag away

/** The picture of a plan in `el`. `options`: plan, scene, tall (the scene of an
 *  upright screen, or null), view, facts (of the scenes), elk (a function that promises ELK, or
 *  null where everything is open), page (the wheel zooms at once), least (the smallest text in pixels), pressed(id). */
class Canvas {
  constructor(el, options) {
    this.el = el; this.options = options;
    const first = options.facts;
    this.model = modelOf(options.plan, first);
    this.first = first; this.facts = first; this.time = 0; this.rival = null;
    this.view = options.view; this.scene = unpacked(this.model, options.scene);
    this.camera = { x: 0, y: 0, k: 1 }; this.pieces = new Map(); this.marks = new Map(); this.least = options.least ?? LEAST;
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.svg = s("svg", { role: "group", "aria-label": "Topology", tabindex: "-1" });
    this.world = s("g", { class: "mq-world" });
    this.over = s("g", { class: "mq-dots" });
    this.svg.append(this.world);
    this.world.append(this.over);
    el.replaceChildren(this.svg);
    this.hands();
    this.sized = new ResizeObserver(() => {
      this.svg.setAttribute("viewBox", `0 0 ${this.size.join(" ")}`); // on paper there is no script to fit it
      this.turned();
      if (!this.moved) this.fit(0); else this.draw();
    });
    this.sized.observe(el);
  }

  /** Take the scene for a screen as wide or as upright as it is now. */
  turned() {
    const tall = Boolean(this.options.tall) && upright(this.size);
    if (tall === Boolean(this.tall)) return;
    this.tall = tall; this.moved = false;
    this.scene = unpacked(this.model, tall ? this.options.tall : this.options.scene);
  }

  close() { this.sized.disconnect(); cancelAnimationFrame(this.flying); }

  get size() { return [Math.max(1, this.el.clientWidth), Math.max(1, this.el.clientHeight)]; }

  // ------------------------------------------------------------------------------------------------------ what is seen
  /** Draw what is true at a moment; only what looks otherwise than before is touched. What differs from `rival`, the facts
   *  of another future, is marked. */
  show(facts, time) { this.facts = facts; this.time = time; this.draw(); }

  draw() {
    const scale = Math.min(1, Math.max(0.05, (Math.floor(this.camera.k * 20 + 1e-6) / 20) * (LEAST / this.least)));
    const seen = new Set();
    let before = null;
    for (const piece of piecesOf(this.model, this.scene, this.facts, scale, this.time, this.rival)) {
      seen.add(piece.key);
      let kept = this.pieces.get(piece.key);
      if (!kept || kept.kind !== piece.kind) {
        kept?.g.remove();
        kept = { g: s("g", { class: piece.kind === "line" ? "line" : `box of-${piece.kind}`, "data-part": piece.key }), kind: piece.kind };
        this.pieces.set(piece.key, kept);
        if (this.drawn && !this.still.matches) kept.g.animate([{ opacity: 0 }, { opacity: 1 }], { duration: GLIDE });
        for (const name of this.marks.get(piece.key) ?? []) kept.g.classList.add(name);
      }
      if (kept.svg !== piece.svg) { kept.g.innerHTML = piece.svg; kept.svg = piece.svg; }
      if (piece.box) this.described(kept, piece);
      if (before ? before.nextSibling !== kept.g : this.world.firstChild !== kept.g) { if (before) before.after(kept.g); else this.world.prepend(kept.g); }
      before = kept.g;
    }
    for (const [key, { g }] of this.pieces) if (!seen.has(key)) { g.remove(); this.pieces.delete(key); }
    this.drawn = true;
  }

  /** The place of a box, and what it says to those who hear it. */
  described(kept, { x, y, box }) {
    const place = `translate(${x} ${y})`, { g } = kept, opens = this.options.elk && ["closed", "room", "chip", "panel", "rest", "stacked"].includes(box.type);
    if (kept.place !== place) {
      if (kept.place && !this.still.matches) {
        const [ox, oy] = kept.place.match(/-?[\d.]+/g).map(Number);
        g.animate([{ transform: `translate(${ox}px,${oy}px)` }, { transform: `translate(${x}px,${y}px)` }], { duration: GLIDE, easing: "ease-in-out" });
      }
      g.setAttribute("transform", place); kept.place = place;
    }
    if (["zone", "group", "cluster", "site"].includes(box.type)) return;
    const said = saidOf(box, this.facts, this.time);
    if (kept.said === said) return;
    kept.said = said;
    g.setAttribute("aria-label", said);
    if (opens || box.type === "card") { g.setAttribute("role", "button"); g.setAttribute("tabindex", "0"); } else g.setAttribute("role", "img");
    if (opens) g.setAttribute("aria-expanded", String(box.type === "room" || box.type === "panel"));
  }

  /** Mark parts with a class, and no others: the object an event is about, the lines that a message travels. */
  mark(name, keys) {
    for (const [key, names] of this.marks) if (names.delete(name)) this.pieces.get(key)?.g.classList.remove(name);
    for (const key of keys) { group(this.marks, key, () => new Set()).add(name); this.pieces.get(key)?.g.classList.add(name); }
  }

  /** The link that a drawn line runs over, as facts name it; "" for a line within one queue manager. */
  linkOf(key) {
    const line = this.scene.lines.find((each) => each.id === key), edge = line?.of[0];
    const ends = edge ? [roomOf(this.model, edge.source), roomOf(this.model, edge.target)] : ["", ""];
    return ends[0] === ends[1] || !ends.every((id) => this.model.rooms.has(id)) ? "" : linkKey(...ends);
  }

  /** Where an object is seen: the id of its card, or of what stands for it. */
  seenAt(id) { return this.scene.where[id] ?? id; }

  box(id) { return this.scene.boxes.find((box) => box.id === this.seenAt(id)); }

  /** The corners from one object to another, along the line that is drawn, or as an arc where none is; null for objects
   *  that are seen as one. The second value is the key of the line. */
  wayOf(source, target) {
    const drawn = lineTo(this.scene, source, target), one = this.box(source), other = this.box(target);
    if (drawn) return [pathOf(drawn[0]), drawn[1]];
    if (!one || !other || one === other) return null;
    if (one.room && one.type === "room") return [`M${one.x - 26} ${other.y + other.h / 2}L${other.x} ${other.y + other.h / 2}`, ""];
    if (other.room && other.type === "room") return [`M${one.x + one.w} ${one.y + one.h / 2}L${other.x + other.w + 26} ${one.y + one.h / 2}`, ""];
    const ax = one.x + one.w / 2, bx = other.x + other.w / 2, lift = Math.min(one.y, other.y) - 24;
    return [`M${ax} ${one.y + one.h / 2}C${ax} ${lift} ${bx} ${lift} ${bx} ${other.y + other.h / 2}`, ""];
  }

  // --------------------------------------------------------------------------------------------------------- the camera
  look(camera) {
    const k = Math.min(4, Math.max(0.04, camera.k)), scaled = Math.floor(k * 20) !== Math.floor(this.camera.k * 20) || k > 1 !== this.camera.k > 1;
    this.camera = { ...camera, k };
    this.world.setAttribute("transform", `translate(${camera.x.toFixed(2)} ${camera.y.toFixed(2)}) scale(${k.toFixed(4)})`);
    if (scaled) this.draw();
  }

  /** The camera that shows a box of the picture whole. */
  framed({ x, y, w, h }, room = 12, most = MOST) {
    const [wide, high] = this.size, k = Math.min((wide - 2 * room) / w, (high - 2 * room) / h, most);
    return { k, x: (wide - w * k) / 2 - x * k, y: (high - h * k) / 2 - y * k };
  }

  get whole() { return { x: 8, y: 8, w: this.scene.width - 16, h: this.scene.height - 16 }; } // boxes begin at 12

  /** Text of at least so many pixels on the screen. */
  set smallest(pixels) { this.least = pixels; this.draw(); }

  /** Frame some objects, with a little room around them. */
  frame(ids) {
    const boxes = ids.map((id) => this.box(id)).filter(Boolean), [x, y] = ["x", "y"].map((at) => Math.min(...boxes.map((box) => box[at])));
    if (!boxes.length) return this.fit();
    this.moved = this.near = true;
    return this.fly(this.framed({ x, y, w: Math.max(...boxes.map((box) => box.x + box.w)) - x, h: Math.max(...boxes.map((box) => box.y + box.h)) - y }, 24, Math.max(1.8, 1.2 * this.framed(this.whole).k)));
  }

  fit(lasts = GLIDE) {
    this.moved = this.near = false;
    return this.fly(this.upfront(), lasts);
  }

  get readable() { return READ[0] * (this.least / LEAST); }

  /** The camera that shows all of a picture, or as much from its top left as can be read. */
  upfront() {
    const camera = this.framed(this.whole), [wide, high] = this.size, { width, height } = this.scene;
    const k = Math.max(this.readable, Math.min((wide - 12) / width, READ[1] * (this.least / LEAST)));
    const begin = (room, long) => (long * k < room ? (room - long * k) / 2 : 6);
    return camera.k < k ? { k, x: begin(wide, width), y: begin(high, height) } : camera;
  }

  /** Move the camera; promises to be there. */
  fly(to, lasts = GLIDE) {
    this.stay();
    if (this.still.matches || !lasts || !this.el.isConnected) { this.look(to); return Promise.resolve(); }
    const from = this.camera, [wide, high] = this.size, centre = ({ x, y, k }) => [(wide / 2 - x) / k, (high / 2 - y) / k];
    const [ax, ay] = centre(from), [bx, by] = centre(to), began = performance.now();
    return new Promise((done) => {
      this.there = done;
      const step = (now) => {
        const t = Math.min(1, (now - began) / lasts), e = t < 0.5 ? 2 * t * t : 1 - (2 - 2 * t) ** 2 / 2;
        const k = from.k * (to.k / from.k) ** e, x = ax + (bx - ax) * e, y = ay + (by - ay) * e;
        this.look({ k, x: wide / 2 - x * k, y: high / 2 - y * k });
        if (t < 1) this.flying = requestAnimationFrame(step); else done();
      };
      this.flying = requestAnimationFrame(step);
    });
  }

  /** End a flight where it is. */
  stay() { cancelAnimationFrame(this.flying); this.there?.(); }

  zoom(by, x = this.size[0] / 2, y = this.size[1] / 2) {
    const { camera } = this, k = Math.min(4, Math.max(0.04, camera.k * by)), g = k / camera.k;
    this.moved = true;
    this.look({ k, x: x - (x - camera.x) * g, y: y - (y - camera.y) * g });
  }

  pan(dx, dy) { this.moved = true; this.look({ ...this.camera, x: this.camera.x + dx, y: this.camera.y + dy }); }

  /** Whether all of a box is in sight. */
  within(box) {
    const [wide, high] = this.size, { x, y, k } = this.camera, left = box.x * k + x, top = box.y * k + y;
    return left >= 0 && top >= 0 && left + box.w * k <= wide && top + box.h * k <= high;
  }

  /** Bring an object into sight, large enough to read, if it is not. */
  bring(id, close = false) {
    const box = this.box(id);
    if (!box || (this.within(box) && !close)) return Promise.resolve();
    this.moved = true;
    if (!this.tall) {
      const around = this.framed({ x: box.x - 220, y: box.y - 120, w: box.w + 440, h: box.h + 240 }, 8, 1.2), k = this.readable;
      return this.fly(around.k < k ? { k, x: 12 - box.x * k, y: 12 - box.y * k } : around);
    }
    const [wide, high] = this.size, { k } = this.upfront(), top = Math.min(box.y + box.h / 2 - high / k / 2, box.y - 6); // as wide as all
    return this.fly({ k, x: (wide - this.scene.width * k) / 2, y: -Math.max(-6, top) * k });
  }

  // ------------------------------------------------------------------------------------------------- open, close, find
  /** Lay out another view; `anchor`, the box that was pressed, keeps its place on the screen. */
  async arrange(view, anchor = "") {
    const old = anchor && this.box(anchor), elk = await this.options.elk();
    this.view = view;
    this.scene = await placesOf(elk, this.model, view, this.first, this.size.map((length) => length / 0.9));
    const now = anchor && this.box(anchor);
    if (old && now) this.look({ ...this.camera, x: this.camera.x + (old.x - now.x) * this.camera.k, y: this.camera.y + (old.y - now.y) * this.camera.k });
    this.draw();
    if (!now) await this.fit();
    else if (!this.within(now)) { this.moved = true; await this.fly(this.framed(now, 20, 1.1)); }
    this.options.arranged?.(view);
  }

  /** What a press on a box does: open or close what has something inside, or tell who asked which object it was. */
  press(key) {
    const box = this.scene.boxes.find((each) => each.id === key);
    if (!box) return undefined;
    const flipped = (list, id) => (list.includes(id) ? list.filter((each) => each !== id) : [...list, id]);
    const opens = { closed: box.room?.id, room: box.room?.id, chip: box.family?.id, panel: box.family?.id, stacked: box.stack?.id }[box.type];
    if (this.options.elk && opens) return this.arrange({ ...this.view, open: flipped(this.view.open, opens) }, box.type === "stacked" ? "" : key);
    const more = box.type === "rest" ? box.key : box.node?.kind === "more" ? box.node.key : "";
    if (this.options.elk && more) return this.arrange({ ...this.view, more: flipped(this.view.more, more) });
    return this.options.pressed?.(box.node?.of ? box.node.of[0].id : box.id);
  }

  /** Only the way of messages through an object, or everything again for "". Where nothing can be laid out again, what is
   *  not on that way fades. */
  only(id) {
    const route = id ? new Set(routeOf(this.model, id)) : null;
    if (this.options.elk) return this.arrange({ ...this.view, route: route && [...route] });
    const on = ({ kind, box, line }) => (kind === "line" ? line.of.some((edge) => route.has(edge.source) && route.has(edge.target)) : box.type !== "card" || route.has(box.id));
    const pieces = route ? piecesOf(this.model, this.scene, this.facts, 1, this.time).filter((piece) => !on(piece)) : [];
    this.mark("mq-faded", pieces.map((piece) => piece.key));
    return Promise.resolve();
  }

  /** The objects whose names have these words, the shortest names first. */
  found(words) {
    const wanted = words.trim().toUpperCase();
    if (!wanted) return [];
    const hits = [...this.model.nodes.values()].filter((node) => (node.name ?? node.id).toUpperCase().includes(wanted) && exists(node, this.facts));
    return hits.sort((a, b) => (a.name ?? a.id).length - (b.name ?? b.id).length || (a.id < b.id ? -1 : 1));
  }

  /** Open what an object is in, and bring it into sight. */
  async reveal(id) {
    const node = this.model.nodes.get(id), room = this.model.rooms.get(node.qmgr ?? node.group ?? node.id), open = new Set(this.view.open);
    const family = room.families.find((each) => each.objects.includes(node));
    if (this.options.elk && this.seenAt(id) !== id) {
      const more = new Set([...this.view.more, family ? family.id : room.id]);
      open.add(room.id);
      if (family) open.add(family.id);
      await this.arrange({ open: [...open], more: [...more], route: null });
    }
    await this.bring(id, true);
  }

  // -------------------------------------------------------------------------------------------------- hands and keys
  hands() {
    const { el } = this, fingers = new Map();
    let down = null;
    const at = (event) => { const box = el.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
    el.addEventListener("wheel", (event) => {
      if (!this.options.page && !event.ctrlKey && !el.contains(document.activeElement)) return; // a notebook scrolls on
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), ...at(event));
    }, { passive: false });
    el.addEventListener("pointerdown", (event) => {
      fingers.set(event.pointerId, event);
      down = { x: event.clientX, y: event.clientY, far: false, part: event.target.closest?.("[data-part]")?.dataset.part ?? "", message: +event.target.closest?.("[data-message]")?.dataset.message || 0 };
      this.stay();
    });
    el.addEventListener("pointermove", (event) => {
      const was = fingers.get(event.pointerId);
      if (!was) return;
      if (fingers.size === 2) {
        const [other] = [...fingers].filter(([id]) => id !== event.pointerId).map(([, each]) => each);
        const apart = (each) => Math.hypot(each.clientX - other.clientX, each.clientY - other.clientY) || 1, [x, y] = at(event), [ox, oy] = at(other);
        this.zoom(apart(event) / apart(was), (x + ox) / 2, (y + oy) / 2);
      } else if (down && (down.far ||= Math.hypot(event.clientX - down.x, event.clientY - down.y) > 4)) {
        if (!el.hasPointerCapture(event.pointerId)) el.setPointerCapture(event.pointerId);
        this.pan(event.clientX - was.clientX, event.clientY - was.clientY);
      }
      fingers.set(event.pointerId, event);
    });
    const up = (event) => {
      if (fingers.delete(event.pointerId) && event.type === "pointerup" && down && !down.far) {
        if (down.message && this.options.message) this.options.message(down.message);
        else if (down.part.includes(">")) this.options.line?.(down.part); else if (down.part) this.press(down.part); else this.options.pressed?.(""); // text: an id
      }
      down = null;
    };
    el.addEventListener("pointerup", up);
    el.addEventListener("pointercancel", up);
    el.addEventListener("keydown", (event) => {
      const part = event.target.closest?.("[data-part]")?.dataset.part;
      const act = event.ctrlKey ? { ArrowLeft: () => this.pan(PAN, 0), ArrowRight: () => this.pan(-PAN, 0), ArrowUp: () => this.pan(0, PAN), ArrowDown: () => this.pan(0, -PAN) }[event.key]
        : part && { Enter: () => this.press(part), " ": () => this.press(part) }[event.key];
      if (!act) return;
      event.preventDefault(); event.stopPropagation();
      act();
    });
    this.svg.addEventListener("focusin", (event) => { const part = event.target.dataset?.part; if (part && event.target.matches(":focus-visible")) this.bring(part); });
  }
}
