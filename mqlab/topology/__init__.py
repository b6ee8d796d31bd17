"""The lab as a graph: queue managers, their objects, and the programs that use them: an extra."""
