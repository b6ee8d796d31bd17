"""Queue sharing groups in the topology of a lab.

A group is a node of the kind "qmgr" with platform "group", and holds the shared queues; "QSG1/structure:APP1" is a
structure of the coupling facility (kind "structure": qmgr is its group, name, status "NEW", "ACTIVE" or "FAILED",
level, recoverable). Edges: member (from a group to a queue manager), and holds, from a group to its structures too,
and from a structure to its shared queues.
"""

from __future__ import annotations

from typing import Any

from ..topology.graph import add_qmgr


def draw_owners(graph: Any, lab: Any) -> None:
    """The groups and their members."""
    for group in lab.queue_sharing_groups:
        add_qmgr(graph, group, "group", level=max(member.level for member in group.members))
        graph.add_edges_from(((group.name, member.name) for member in group.members), kind="member")


def draw(graph: Any, lab: Any) -> None:
    """The coupling facility structures of each group, and which shared queues each holds."""
    for structure in (each for group in lab.queue_sharing_groups for each in group.structures.values()):
        group = structure.group.name
        key = f"{group}/structure:{structure.name}"
        about = {"status": structure.status, "level": structure.level, "recoverable": structure.recoverable}
        graph.add_node(key, kind="structure", qmgr=group, name=structure.name, **about)
        graph.add_edge(group, key, kind="holds")
        for name in structure.cores:
            if f"{group}/{name}" in graph:
                graph.add_edge(key, f"{group}/{name}", kind="holds")
