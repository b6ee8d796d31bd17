// A game starts in a cell of a notebook, or on a page in the place of its table.
const GAMES = { opening };

function bootPage(page) {
  for (const place of page.querySelectorAll(".mqlab-still[data-game]")) {
    const root = page.createElement("div");
    place.before(root);
    GAMES[place.dataset.game](root, JSON.parse(page.getElementById(`game-${place.dataset.game}`).textContent), () => {});
    place.hidden = true;
  }
}

export default {
  render({ model, el }) {
    const spec = model.get("spec");
    GAMES[spec.kind](el, spec, (said) => { model.set("said", said); model.save_changes(); });
  },
};
