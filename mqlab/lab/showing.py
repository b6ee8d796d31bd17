"""How a thing is shown in a notebook: by a function of the views, which load only then."""

from __future__ import annotations

from importlib import import_module

__all__ = ["shown"]


def shown(thing, face: str, include=None, exclude=None) -> dict[str, str]:
    """What Jupyter is given of a thing: text and HTML as `face`, "module.function" of `mqlab.views`, makes them.

    `include` and `exclude` are MIME types, as IPython passes them.
    """
    module, _, function = face.rpartition(".")
    make = getattr(import_module(f"mqlab.views.{module}"), function)
    return import_module("mqlab.views.drawing.mime").mime_bundle(*make(thing), include, exclude)
