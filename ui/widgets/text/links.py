"""Which links of an agent's text may be followed at all, and how one is told.

Owns the rule only: only web and mail addresses; nothing is opened here, whoever follows a link asks first.
"""

from urllib.parse import urlsplit

from ui.widgets.text.clean import clean

SCHEMES = frozenset({"http", "https", "mailto"})
_MOST = 2_000
_SHOWN = 120


def safe_link(address: str) -> str | None:
    """The address if it may be offered, else None: no files, no scripts, nothing hidden in it."""
    address = address.strip()
    if not address or len(address) > _MOST or not address.isprintable() or clean(address) != address:
        return None
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    if parts.scheme.lower() not in SCHEMES:
        return None
    if parts.scheme.lower() == "mailto":
        return address if "@" in parts.path else None
    return address if parts.netloc else None


def shown_link(address: str) -> str:
    """Where a link really leads, short enough for a tooltip: the host is never cut."""
    return address if len(address) <= _SHOWN else f"{address[:_SHOWN]}…"
