"""What the doctor finds: one fact, how bad it is, what to do (contract 2). Data."""

from dataclasses import dataclass
from typing import Any, Literal

Level = Literal["ok", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding; `fix`: a sentence on what to do, where something is to be done."""

    check: str
    level: Level
    message: str
    fix: str = ""

    def shown(self) -> dict[str, Any]:
        """As `codeg doctor --json` prints it."""
        shown: dict[str, Any] = {"check": self.check, "level": self.level, "message": self.message}
        return shown | {"fix": self.fix} if self.fix else shown
