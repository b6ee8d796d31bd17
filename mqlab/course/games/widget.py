"""A game as a notebook widget; the page plays it alone, and the kernel only records how it ended."""

from __future__ import annotations

from typing import Any

import anywidget
import traitlets
from IPython.display import display

from ..exercises import progress
from .playing import Still, script, style


class Playing(anywidget.AnyWidget):
    """A game to play. `spec` is all of it, and `said` the last thing that the learner finished in it: its `key`, and
    whether it was `right`. Without a kernel, readers see the game's `still`."""

    _esm, _css = script(), style()

    spec = traitlets.Dict().tag(sync=True)
    said = traitlets.Dict().tag(sync=True)

    def __init__(self, spec: dict[str, Any], still: Still) -> None:
        self.still = still
        super().__init__(spec=spec)
        self.observe(lambda change: self._record(change["new"]), "said")

    def _record(self, said: dict[str, Any]) -> None:
        progress.record(self.still.game, progress.PLAY, key=str(said.get("key", "")), right=bool(said.get("right")))

    def _ipython_display_(self) -> None:
        display(self.still)
        data, metadata = self._repr_mimebundle_()
        display(data, metadata=metadata, raw=True)
