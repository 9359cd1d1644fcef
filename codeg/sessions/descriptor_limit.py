"""How many files this process and its agents may have open.

Owns the raise of the host's own soft limit, and what it was before: agents are given that, since some programs close
or search every descriptor that they could have. It never lowers a limit of ours. Nothing on Windows, which has none.
"""

import sys

MOST_DESCRIPTORS = 65_536
"""The host takes half of them for connections, 4,096 at most (contract 5); the rest is agents' pipes."""
_MAC_DESCRIPTORS = 10_240
"""Above this macOS refuses, whatever its hard limit says."""
_NO_LIMIT = 2**31 - 1

_before: int | None = None


def raise_descriptor_limit() -> int:
    """Raise the soft limit towards the hard one, as far as the system lets us; returns what it is now."""
    global _before  # noqa: PLW0603  # the limit is the process's, and so is what it was
    if sys.platform == "win32":
        return _NO_LIMIT
    import resource  # noqa: PLC0415  # not on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return _NO_LIMIT
    most = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    for wanted in (most, min(most, _MAC_DESCRIPTORS)):
        if wanted <= soft:
            break
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):
            continue
        _before = soft if _before is None else _before
        return wanted
    return soft


def agents_descriptor_limit() -> int:
    """The soft limit for agents: this process's at its start. 0 = ours was never raised, so they inherit it."""
    return _before or 0
