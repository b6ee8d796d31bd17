// The calls that engine.py makes of the scripts beside this one: the end of a function, whose result they are.
const elk = new (module.exports.default ?? module.exports)(), kept = new Map(), answers = new Map();
const asked = (facts) => (id) => facts[id];
const keep = (key, known) => {
  kept.delete(key); kept.set(key, known);
  if (kept.size > 32) kept.delete(kept.keys().next().value);
  return known;
};
const calls = {
  async places({ key, plan, facts, screen, route }) {
    let known = kept.get(key);
    if (!known) {
      const model = modelOf(plan, asked(facts));
      const view = { open: [], more: [], route };
      const alone = route && { view, scene: await placesOf(elk, model, view, asked(facts), screen) };
      known = { model, ...(alone ?? (await openingOf(elk, model, asked(facts), screen))) };
    }
    const { model, view, scene } = keep(key, known);
    return { view, scene: packed(model, scene) };
  },
  async known({ key }) { return kept.has(key); },
  async keep({ key, plan, facts, view, scene }) {
    const model = modelOf(plan, asked(facts));
    keep(key, { model, view, scene: unpacked(model, scene) });
  },
  async picture({ key, facts, k, time, rival }) {
    const { model, scene } = keep(key, kept.get(key));
    return { svg: pictureOf(model, scene, asked(facts), k, time, rival && asked(rival)) };
  },
  async signs({ key, facts, time }) {
    const { model, scene } = keep(key, kept.get(key));
    return keyOf(model, scene, asked(facts), time);
  },
  async along({ key, ways, shares }) {
    const { scene } = keep(key, kept.get(key));
    const points = ways.flatMap((way) => lineTo(scene, ...way.split(">"))?.[0] ?? []);
    return points.length > 1 ? shares.map((share) => alongOf(points, share)) : [];
  },
  async exported({ key, facts, time, form, title, colors }) {
    const { model, scene } = keep(key, kept.get(key));
    return EXPORTS[form](shapesOf(model, scene, asked(facts), time), title, colors);
  },
};
function call(number, name, text) {
  const failed = (error) => { answers.set(number, JSON.stringify({ failed: String(error && error.stack) })); };
  calls[name](JSON.parse(text)).then((found) => { answers.set(number, JSON.stringify({ found })); }, failed);
}
function answer(number) {
  const text = answers.get(number) ?? "", waits = later.length > 0;
  answers.delete(number);
  while (!text && later.length) later.shift()();
  return text || (waits ? "" : "none");
}
const turn = () => new Promise((done) => { globalThis.setTimeout(done); });
async function finished(number) {
  let text = "";
  while (!text) { await turn(); text = answer(number); }
  return text;
}
return { call, answer, finished, EXPORTS };
