// A game starts in a cell of a notebook, or on a page in the place of its table. `tell` is given what was finished;
// `ask`, only in a notebook, gets more rounds from the kernel, from a seed upward.
const GAMES = { opening, game };

function bootPage(page) {
  for (const place of page.querySelectorAll(".mqlab-still[data-game]")) {
    const root = page.createElement("div");
    place.before(root);
    GAMES[place.dataset.game](root, JSON.parse(page.getElementById(`game-${place.dataset.game}`).textContent), () => {}, null);
    place.hidden = true;
  }
}

export default {
  render({ model, el }) {
    const spec = model.get("spec");
    const tell = (said) => { model.set("said", said); model.save_changes(); };
    const ask = (seed, then) => {
      const take = (answer) => { if (answer.rounds) { model.off("msg:custom", take); then(answer.rounds); } };
      model.on("msg:custom", take);
      model.send({ seed });
    };
    GAMES[spec.kind](el, spec, tell, ask);
  },
};
