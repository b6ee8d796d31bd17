// The front page: shows, saves, and loads the progress that kernels keep in this browser.
import { added, lines, listen } from "./progress.mjs";

const told = document.querySelector(".mq-progress output"), name = document.querySelector(".mq-name");
const empty = told.textContent;
const parsed = (text) => { try { return JSON.parse(text); } catch { return null; } };
/** A line without its learner, whose name is added when it is saved. */
const content = (line) => JSON.stringify({ ...parsed(line), learner: "" });

async function show(words = "") {
  try {
    const found = (await lines()).map(parsed).filter(Boolean);
    const done = new Set(found.filter((line) => line.what === "check" && line.done).map((line) => line.exercise));
    const predicted = new Set(found.filter((line) => line.what === "predicted").map((line) => line.key));
    told.textContent = found.length ? `Exercises done: ${done.size}. Predictions in notebooks: ${predicted.size}.` : empty;
    if (words) told.append(` ${words}`);
    for (const link of document.querySelectorAll('a[href*="path=exercises/"]:not([data-done])'))
      if (done.has(link.textContent.split(" ")[0])) link.append(" ✓ done"), link.dataset.done = "";
  } catch (why) {
    fails(why);
  }
}

function fails(why) {
  told.textContent = `This browser cannot keep progress (${why?.message ?? why}). Use another browser, or a window that is not private.`;
}

document.querySelector(".mq-save").onclick = async () => {
  const named = (line) => JSON.stringify({ ...line, learner: line.learner || name.value.trim() });
  const kept = await lines().catch(fails);
  if (!kept) return;
  const text = kept.map(parsed).filter(Boolean).map((line) => named(line) + "\n").join("");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
  link.download = `${name.value.trim().replace(/[^\p{L}\p{N}]+/gu, "-") || "progress"}.jsonl`;
  link.click();
};
document.querySelector(".mq-load input").onchange = async ({ target }) => {
  const valid = (await target.files[0].text()).split("\n").filter((line) => parsed(line)?.schema === 1);
  target.value = "";
  let loaded = 0;
  try {
    const there = (await lines()).map(content); // equal lines can be two answers
    for (const line of valid) {
      const at = there.indexOf(content(line));
      if (at < 0) loaded += 1, await added(line);
      else there.splice(at, 1);
    }
  } catch (why) {
    return fails(why);
  }
  return show(valid.length ? `Lines added: ${loaded} of ${valid.length}.` : "The file contains no progress from mqlab.");
};
document.querySelector(".mq-alone").remove();
listen(() => show());
addEventListener("pageshow", () => show());
