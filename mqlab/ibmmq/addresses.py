"""The address of a client's connection, ``host(port)``, as far as no network could have it.

A lab has no network: any host that there could be is that of the queue manager.
"""

from __future__ import annotations

import re

_ADDRESS = re.compile(r"(?P<host>[^\s(),]+)(\((?P<port>\s*\d+\s*)\))?")
_HOST = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_.])?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(%\w+)?")
_NUMBERS = re.compile(r"[\d.]+")


def problem_of(addresses: str) -> str:
    """Why none of these addresses, with commas between them, can be reached; "" if one can."""
    problems = [_problem(each.strip()) for each in addresses.split(",")]
    return problems[0] if all(problems) else ""


def _problem(address: str) -> str:
    if not address:
        return "ConnectionName is blank"
    found = _ADDRESS.fullmatch(address)
    if found is None or not _HOST.fullmatch(found["host"]):
        return f"ConnectionName {address!r} is not of the form host(port)"
    host, port = found["host"], found["port"]
    if port is not None and not 1 <= int(port) <= 65535:
        return f"no machine has port {port.strip()}"
    if _NUMBERS.fullmatch(host) and not _is_ipv4(host):
        return f"{host} is no IP address"
    return f"the name {host} is that of no machine" if host.lower().rstrip(".").endswith(".invalid") else ""


def _is_ipv4(host: str) -> bool:
    parts = host.split(".")
    return len(parts) == 4 and all(part.isdigit() and int(part) < 256 for part in parts)
