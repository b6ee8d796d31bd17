"""A game as a notebook widget; the page plays it alone, and the kernel only records how it ended."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anywidget
import traitlets
from IPython.display import display

from ...engine.words.rulebook import RULES
from ..exercises import progress
from .playing import Still, script, style


class Playing(anywidget.AnyWidget):
    """A game to play, and its table, `still`, for readers without a kernel.

    `spec` is all of it; `said` is the last round that the learner finished, with its `key`, `judged` by rule, and true
    or false for `right`; `what` is the `what` of its line in the progress file. When the page asks for more rounds,
    `more(seed)` returns them.
    """

    _esm, _css = script(), style()

    spec = traitlets.Dict().tag(sync=True)
    said = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        spec: dict[str, Any],
        still: Still,
        more: Callable[[int], dict[str, Any]] | None = None,
        what: str = progress.PLAY,
    ) -> None:
        self.still, self.more, self.what = still, more, what
        super().__init__(spec=spec)
        self.on_msg(lambda _, asked, __: self._send_more(asked))
        self.observe(lambda change: self._record(change["new"]), "said")

    def _record(self, said: dict[str, Any]) -> None:
        judged = {id: right is True for id, right in said.get("judged", {}).items() if id in RULES}
        key, right = str(said.get("key", "")), bool(said.get("right"))
        progress.record_round(self.still.game, self.what, key, judged, right)

    def _send_more(self, asked: dict[str, Any]) -> None:
        seed = asked.get("seed")
        if self.more is not None and type(seed) is int and seed >= 0:
            self.send(self.more(seed))

    def _ipython_display_(self) -> None:
        display(self.still)
        data, metadata = self._repr_mimebundle_()
        display(data, metadata=metadata, raw=True)
