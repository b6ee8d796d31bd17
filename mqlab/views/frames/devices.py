"""The transmissions and pulls of MQ Everyplace queue managers, as lines between their queues."""

from __future__ import annotations


def homes_of(nodes: dict[str, dict]) -> dict[str, dict]:
    """The queue managers of MQ Everyplace among the nodes of a graph, each with its home-server queues as `homes`."""
    homes: dict[str, list[str]] = {}
    for id, data in nodes.items():
        if data.get("type") == "MQE.HOME":
            homes.setdefault(data["qmgr"], []).append(id)
    found = {id: data for id, data in nodes.items() if data.get("platform") == "everyplace"}
    return {id: data | {"homes": homes.get(id, [])} for id, data in found.items()}


def own_line(nodes: dict[str, dict], source: str, target: str, kind: str) -> tuple[str, str, str] | None:
    """A line as the picture has it: from queue to queue where both are known; None for what another line shows.

    An asynchronous queue transmits to the queue that it is for. A home-server queue pulls: it acts, so it is the
    source, and the messages go the other way; what it fetched it delivers to a local queue. `nodes` are those of the
    graph, with `homes_of`.
    """
    if kind == "transmits":
        queue, far, owner = nodes[source]["name"].partition("@")[0], "@" in nodes[source]["name"], nodes[source]["qmgr"]
        if f"{target}/{queue}@{owner}" in nodes:
            return None  # it waits to be pulled
        return source, f"{target}/{queue}" if far and f"{target}/{queue}" in nodes else target, kind
    if kind == "pulls":
        queue = f"{source}/{nodes[target]['name'].partition('@')[0]}"
        return target, queue if queue in nodes else source, kind
    caller, queue = (source, target) if kind == "puts" else (target, source)
    name, owner, type = nodes[caller]["name"], nodes[queue]["qmgr"], nodes[queue].get("type")
    manager = nodes.get(name, {})
    if nodes[caller]["kind"] != "program" or manager.get("platform") != "everyplace":
        return source, target, kind
    if name != owner:
        return None if f"{name}/{nodes[queue]['name']}@{owner}" in nodes else (source, target, kind)
    if kind == "gets":
        return None if type in ("MQE.ASYNC", "MQE.FORWARD") else (source, target, kind)
    return (manager["homes"][0], target, "delivers") if len(manager.get("homes", ())) == 1 else (source, target, kind)
