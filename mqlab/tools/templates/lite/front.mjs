// The front page: shows, saves, and loads the progress that kernels keep in this browser.
import { added, lines } from "./progress.mjs";

const told = document.querySelector(".mq-progress output"), name = document.querySelector(".mq-name");
const parsed = (text) => { try { return JSON.parse(text); } catch { return null; } };

async function show() {
  const found = (await lines()).map(parsed).filter(Boolean);
  const done = new Set(found.filter((line) => line.what === "check" && line.done).map((line) => line.exercise));
  const said = found.filter((line) => line.what === "predicted").length;
  if (found.length) told.textContent = `Exercises done: ${done.size}. Predictions in notebooks: ${said}.`;
  for (const link of document.querySelectorAll('a[href*="path=exercises/"]')) {
    const id = link.textContent.split(" ")[0];
    if (done.has(id) && !link.dataset.done) link.dataset.done = link.append(" ✓ done");
  }
}

document.querySelector(".mq-save").onclick = async () => {
  const named = (line) => JSON.stringify({ ...line, learner: line.learner || name.value.trim() });
  const text = (await lines()).map(parsed).filter(Boolean).map((line) => named(line) + "\n").join("");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
  link.download = `${name.value.trim().replace(/[^\p{L}\p{N}]+/gu, "-") || "progress"}.jsonl`;
  link.click();
};
document.querySelector(".mq-load input").onchange = async ({ target }) => {
  const there = new Set(await lines());
  for (const line of (await target.files[0].text()).split("\n"))
    if (parsed(line)?.schema === 1 && !there.has(line)) await added(line);
  await show();
};
addEventListener("pageshow", show);
show();
