// A second window for who speaks: what is on now, what comes next, what to say, and a clock; in step with the player.

const REASONS = 3; // causes that are told
const SPEAKER_STYLE = `body{margin:0;padding:18px 24px;font:16px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
header{display:flex;gap:18px;align-items:baseline;border-bottom:1px solid var(--structure);padding-bottom:10px}
header output{font-size:26px;font-weight:650;font-variant-numeric:tabular-nums}header p{margin:0;color:var(--muted)}header span{margin-left:auto}
main{display:grid;grid-template-columns:minmax(0,3fr) minmax(0,2fr);gap:28px;padding-top:14px}
h1{font-size:23px;line-height:1.25;margin:0 0 8px}h2{font-size:13px;color:var(--muted);margin:0 0 6px}p{margin:0 0 10px}ol{padding-left:20px}
.said{font-size:20px;font-weight:600}.rule{color:var(--muted)}svg{width:100%;height:auto;border:1px solid var(--edge);border-radius:8px}
button{font:inherit;padding:5px 16px;border:1px solid var(--structure);border-radius:7px;color:var(--ink);background:var(--card);cursor:pointer}
@media(max-width:700px){main{display:block}}`;

/** What is seen at step `n`, whole, as an SVG element. */
function previewOf({ canvas: { model, scene }, recording }, n) {
  const time = recording.steps.time_us[n], svg = s("svg", { viewBox: `0 0 ${scene.width} ${scene.height}`, role: "img", "aria-label": `Topology: ${recording.clock(time, 0)}, ${recording.fact("summary", n) ?? ""}` });
  svg.innerHTML = pictureOf(model, scene, (id) => recording.fact(id, n), 1, time);
  return svg;
}

/** The speaker's window of a player, opened by a press. */
class Speaker {
  constructor(player) {
    this.player = player;
    this.window = window.open("", "", "popup,width=1000,height=700");
    if (!this.window) return;
    const { document: page } = this.window, part = (tag, name) => (this[name] = h(tag, { class: name })), press = (words, act) => h("button", { type: "button", onclick: act }, words);
    page.documentElement.lang = "en";
    page.title = `Speaker: ${player.heading.textContent}`;
    for (const [role, color] of Object.entries(colorsAt(player.root))) page.body.style.setProperty(`--${role}`, color);
    const looks = [...document.querySelectorAll("style")].map((each) => each.textContent).filter((each) => each.includes(".mq-picture")), theme = document.querySelector("[data-jp-theme-light]")?.dataset.jpThemeLight;
    if (theme) page.documentElement.dataset.jpThemeLight = theme;
    page.head.append(...[...looks, SPEAKER_STYLE].map((each) => h("style", {}, each)));
    page.body.append(
      h("header", {}, part("output", "clock"), press("From zero", () => { this.since = Date.now(); this.tick(); }), part("p", "place"), h("span", {}, press("Back", () => player.onward(-1)), " ", press("Next", () => player.onward(1)))),
      h("main", {}, h("section", { "aria-label": "Now" }, part("h1", "title"), part("p", "text"), part("p", "said"), part("p", "rule"), part("ol", "why")),
        h("section", { "aria-label": "Next" }, h("h2", {}, "Next"), part("p", "next"), (this.preview = h("div", { class: "preview mqlab-player" })))));
    page.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[event.key] ?? (event.key === " " && event.target === page.body ? 1 : 0);
      if (by) { event.preventDefault(); player.onward(by); }
    });
    this.since = Date.now();
    this.window.setInterval(() => this.tick(), 1000);
    this.gone = () => this.close();
    addEventListener("pagehide", this.gone);
    this.tick();
    this.show();
  }

  get open() { return Boolean(this.window) && !this.window.closed; }

  close() { removeEventListener("pagehide", this.gone); if (this.open) this.window.close(); }

  /** The time since the start. */
  tick() {
    const seconds = Math.floor((Date.now() - this.since) / 1000);
    this.clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }

  /** What there is to say at the step that the player shows, and the stop after it. */
  show() {
    const { player } = this, { recording, position: n } = player, stops = (at) => recording.stops(at), sentenceAt = (at) => sentence(recording.told(at));
    if (!this.open) return;
    const { title, said } = recording.shot(n) ?? { title: player.heading.textContent, said: "" }, rule = player.value("rule"), next = recording.seek(n, 1, stops);
    this.title.textContent = title;
    this.text.textContent = said;
    this.said.textContent = player.value("kind") === "shot" ? "" : sentenceAt(n);
    this.rule.textContent = rule && `${rule} ${recording.rules[rule] ?? ""}`;
    this.why.replaceChildren(...recording.causes(n, REASONS).map((at) => h("li", {}, `${recording.clock(recording.steps.time_us[at], 0)} ${sentenceAt(at)}`)));
    let before = 0, all = 0;
    for (let at = 0; at < recording.length; at++) if (stops(at)) { all++; if (at <= n) before++; }
    this.place.textContent = `stop ${before} of ${all} · ${recording.clock(player.value("time_us"), 0)}`;
    if (this.coming === next && next > n) return;
    this.coming = next;
    const shot = recording.story.get(next);
    this.next.textContent = next <= n ? "This is the end." : shot?.title ? `${shot.title}. ${shot.said}` : sentenceAt(next);
    this.preview.replaceChildren(...(next <= n ? [] : [previewOf(player, next)]));
  }
}

/** Open the speaker's window of a player, or bring it to the front. */
function speak(player) {
  if (player.speaker?.open) return player.speaker.window.focus();
  player.speaker = new Speaker(player);
  if (!player.speaker.window) player.heardBox.textContent = player.called.textContent = "The browser opened no window: allow pop-up windows for this page.";
  return undefined;
}
