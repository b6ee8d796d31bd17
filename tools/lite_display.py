"""The displays of the kernel in a browser tab: null stays null, and the page draws every altair chart.

JupyterLite's kernel hands Python's None over as JavaScript's undefined, which JSON leaves out: a chart whose legend is
null would get one.
"""

from collections.abc import Callable
from typing import Any

from pyodide.ffi import jsnull
from pyodide_kernel import ipython_shell
from pyodide_kernel.comm import Comm
from pyodide_kernel.display import LiteDisplayHook, LiteDisplayPublisher

from mqlab.views.charts import renderer


def with_nulls(value: Any) -> Any:
    """Return a value of JSON with JavaScript's null for each None in it."""
    if isinstance(value, dict):
        return {key: with_nulls(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [with_nulls(each) for each in value]
    return jsnull if value is None else value


def _displayed(publish: Callable[..., None]) -> Callable[..., None]:
    def displayed(self: Any, data: Any, metadata: Any = None, *others: Any, **options: Any) -> None:
        publish(self, with_nulls(data), with_nulls(metadata or {}), *others, **options)

    return displayed


def _result(write: Callable[..., None]) -> Callable[..., None]:
    def result(self: Any, *formatted: Any) -> None:
        write(self, *formatted)
        self.data, self.metadata = with_nulls(self.data), with_nulls(self.metadata or {})

    return result


def _sent(send: Callable[..., None]) -> Callable[..., None]:
    def sent(self: Any, kind: str, data: Any = None, *others: Any, **options: Any) -> None:
        send(self, kind, with_nulls(data or {}), *others, **options)

    return sent


def _show(chart: Any) -> None:
    renderer.enable()
    renderer.show(chart)


LiteDisplayPublisher.publish = _displayed(LiteDisplayPublisher.publish)
LiteDisplayHook.write_format_data = _result(LiteDisplayHook.write_format_data)
Comm.publish_msg = _sent(Comm.publish_msg)
# by name, because altair takes long to import; its own renderer would ask other hosts
_charts = ipython_shell.display_formatter.ipython_display_formatter
_charts.for_type_by_name("altair.vegalite.v6.api", "TopLevelMixin", _show)
