// The gallery of scenarios: what the address names is played, and an address that names nothing shows them all.
const gallery = document.getElementById("gallery"), stage = document.getElementById("player");
const only = document.body.dataset.only; // the one scenario of a page that has no more
const home = document.querySelector("a.home"); // leads to the page that lists them all, where there is one
let player = null, open = "", turn = 0;
const whatIf = begun((data, step) => show(data, step, player.presenting, true)); // null where the page has no engine

function hint() {
  const made = document.createElement("p");
  made.className = "mq-hint";
  const words = [["Space", "next"], ["F", "full screen"], ...(whatIf ? [["I", "what if"]] : []), only && !home ? ["P", "all details"] : ["Esc", "all scenarios"]];
  words.forEach(([key, does], place) => {
    const shown = document.createElement("kbd");
    shown.textContent = key;
    made.append(...(place ? [document.createElement("br")] : []), shown, ` ${does}`);
  });
  return made;
}

function leave() {
  player?.close();
  whatIf?.leave();
  player = null; stage.hidden = true; gallery.hidden = false;
  document.title = gallery.querySelector("h1").textContent;
  const left = document.querySelector(`#gallery a[data-name="${CSS.escape(open)}"]`);
  (left?.closest("li").nextElementSibling ?? left?.closest("li"))?.querySelector("a").focus(); // on to the next one
  open = "";
}

async function play(name, wanted) {
  const mine = ++turn, recording = document.getElementById(`recording-${name}`);
  const bytes = Uint8Array.from(atob(recording.textContent.trim()), (c) => c.charCodeAt(0)), data = await unpack(bytes);
  if (mine !== turn) return;
  open = name; gallery.hidden = true; stage.hidden = false;
  document.title = recording.dataset.title;
  show(data, +wanted.get("step"), wanted.has("present"));
}

/** Play the values of a recording: those of the page, or of a `future` of the story. */
function show(data, step, present, future = false) {
  player?.close();
  player = boot(stage, data, { page: true, title: document.title, place: `scenario=${open}&` });
  player.root.querySelector(".mq-told").append(hint());
  if (!only) {
    const all = document.createElement("button");
    all.type = "button"; all.textContent = "All scenarios"; all.title = "Back to all scenarios (Esc)";
    all.addEventListener("click", () => { location.hash = ""; });
    player.root.querySelector(".mq-tools").prepend(all);
  }
  if (home) player.root.querySelector(".mq-tools").prepend(home.cloneNode(true));
  player.go(step);
  player.present(present);
  window.player = player;
  whatIf?.attach(player, open, data, future);
}

function route() {
  const wanted = new URLSearchParams(location.hash.slice(1)), name = wanted.get("scenario") || only;
  if (only && !wanted.has("step")) wanted.set("present", "");
  if (document.getElementById(`recording-${name}`)) play(name, wanted);
  else { turn++; leave(); }
}

// the pictures of the gallery are pages of their own: tell them which theme the reader chose
new MutationObserver(() => {
  const light = document.documentElement.getAttribute("data-jp-theme-light");
  const query = light === null ? "(prefers-color-scheme:dark)" : light === "true" ? "not all" : "all";
  for (const picture of gallery.querySelectorAll("img")) {
    picture.dataset.drawn ??= picture.src;
    const [head, drawn] = picture.dataset.drawn.split(",");
    picture.src = `${head},${btoa(atob(drawn).replaceAll("(prefers-color-scheme:dark)", query))}`;
  }
}).observe(document.documentElement, { attributeFilter: ["data-jp-theme-light"] });

// before the player's own keys: Escape leads back to where they are all listed
addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !player || (only && !home) || player.help.open || document.fullscreenElement) return;
  event.preventDefault(); event.stopPropagation();
  if (home) location.assign(home.href);
  else location.hash = "";
}, true);
addEventListener("hashchange", route);
route();
