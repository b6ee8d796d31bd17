// The worker of the incident on the front page: one Python, one desk, one question after another.
import { added } from "./progress.mjs";
import { loaded, why } from "./python.mjs";

const DESK = `
from page_of_course import added
from mqlab.course.exercises import progress
from mqlab.course.incidents import Incident
from mqlab.course.incidents.desk import Desk
progress.also = added
lambda seed: Desk(Incident(seed))`;
const tell = (what, part) => postMessage({ words: `Loading ${what}: ${Math.round(100 * part)} %` });
let desk, turn = Promise.resolve();

async function begin(seed) {
  const python = await loaded(tell);
  tell("the incident", 0.7);
  python.registerJsModule("page_of_course", { added: (line) => added(line).catch(() => {}) });
  desk = await python.runPython(DESK).callPromising(seed); // the programs of a lab have stacks of their own
  postMessage({ words: "" });
}

async function answer({ number, question }) { postMessage({ number, text: await desk.answer.callPromising(question) }); }

onmessage = ({ data }) => {
  const failed = (error) => postMessage({ number: data.number, failed: data.number ? String(error?.message ?? error).trim().split("\n").at(-1) : why(error) });
  turn = turn.then(() => (data.number ? answer(data) : begin(data.seed))).catch(failed);
};
