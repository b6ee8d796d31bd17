// The incident of the front page. What happened before the pager rang is a file; the rest comes from Python, which loads
// meanwhile in a worker. The page gives the date, and everyone has the same incident on the same day.
import { Desk, unpack } from "./desk-page.mjs";

const place = document.querySelector("#desk"), asked = new URLSearchParams(location.search);
const today = new Date(), day = new Date(asked.get("day") ?? Date.UTC(today.getFullYear(), today.getMonth(), today.getDate()));
const days = +place.dataset.days, daily = Math.floor(day / 864e5) % days, seed = asked.has("seed") ? Math.abs(Math.trunc(asked.get("seed"))) % days : daily;
const name = asked.has("seed") ? `Incident ${seed}` : `Incident of ${day.toLocaleDateString("en-GB", { timeZone: "UTC", dateStyle: "long" })}`;
const waits = new Map();
let number = 0, desk, dead = "", words = "Loading Python";

const worker = new Worker(new URL("desk.mjs", import.meta.url), { type: "module" });
const tell = () => desk?.tell(dead || (words && `${words}. You can type already; the first command waits for Python.`));
const end = (why) => { dead = why; for (const [, refuse] of waits.values()) refuse(new Error(why)); waits.clear(); tell(); };
worker.onerror = ({ message }) => end(`Python has stopped (${message ?? "a file of the course cannot be loaded"}). Load this page again.`);
worker.onmessage = ({ data }) => {
  if (data.words !== undefined) { words = data.words; tell(); return; }
  if (!data.number) { end(data.failed); return; }
  const [done, refuse] = waits.get(data.number);
  waits.delete(data.number);
  if (data.failed) refuse(new Error(`${data.failed}. Load this page again.`));
  else done(JSON.parse(data.text));
};
worker.postMessage({ seed });

const ask = (question) => new Promise((...ends) => {
  if (dead) { ends[1](new Error(dead)); return; }
  waits.set(++number, ends);
  worker.postMessage({ number, question: JSON.stringify(question) });
});
const first = await unpack(await (await fetch(new URL(`incident-${seed}.bin`, import.meta.url))).arrayBuffer());
document.querySelector("h1").textContent = name;
place.replaceChildren();
desk = new Desk(place, ask, first, { title: first.title.replace(/^.*: /, ""), share: `mqlab, ${name[0].toLowerCase()}${name.slice(1)}` });
tell();
