"""A picture as GraphML, which networkx, Gephi, and yEd read."""

from __future__ import annotations

from typing import Any


def graphml(shapes: dict[str, Any]) -> str:
    """The shapes of a picture (`Places.exported`) as GraphML.

    Nodes have name, kind, words, parent ("" for none), and x, y, width, height in pixels; edges kind and label. Every
    value is a text or a number.
    """
    import networkx as nx  # half of the time that `import mqlab` would take

    graph = nx.MultiDiGraph()
    for box in shapes["boxes"]:
        told = {key: box[key] for key in ("name", "kind", "words", "parent")}
        place = {key: float(box[key[0]]) for key in ("x", "y", "width", "height")}
        graph.add_node(box["id"], **told, **place)
    for line in shapes["lines"]:
        graph.add_edge(line["source"], line["target"], kind=line["kind"], label=line["label"])
    return "\n".join(nx.generate_graphml(graph)) + "\n"
