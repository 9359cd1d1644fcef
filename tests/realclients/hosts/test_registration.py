"""`codeg mcp` and `codeg doctor` against the programs' own word: their lists of servers, their versions, their files."""

import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.realclients.machine import Machine
from tests.realclients.packages import PACKAGES, bin_of
from tests.realclients.programs import CLAUDE, CODEX, GEMINI, OPENCODE, QWEN, HostProgram

COMPANION = (sys.executable, "-I", "-m", "companion")
SLOWEST_START_S = 120


@dataclass(frozen=True, slots=True)
class Own:
    """A program's own commands.

    `variable`: moves its files; `add`: registers what follows as helper; `well`: how its
    list says that a server is there.
    """

    variable: str
    add: tuple[str, ...]
    well: str = r"\b[Cc]onnected\b"


OWN = {
    CODEX: Own("CODEX_HOME", ("mcp", "add", "helper", "--"), r"\benabled\b"),
    CLAUDE: Own("CLAUDE_CONFIG_DIR", ("mcp", "add", "--scope", "user", "helper", "--")),
    OPENCODE: Own("XDG_CONFIG_HOME", ("mcp", "add", "helper", "--")),
    GEMINI: Own("GEMINI_CLI_HOME", ("mcp", "add", "--scope", "user", "helper")),
    QWEN: Own("QWEN_HOME", ("mcp", "add", "--scope", "user", "helper")),
}


def run(program: HostProgram, machine: Machine, *words: str) -> str:
    """A command of the program's own, to its end: what it printed."""
    binary = bin_of(program.package) / PACKAGES[program.package].program
    running = machine.start([str(binary), *words])
    assert running.wait(SLOWEST_START_S) == 0, running.stderr
    return running.stdout + running.stderr


def servers(program: HostProgram, machine: Machine) -> list[str]:
    """The lines of its own list that say of a server that it is there."""
    said = re.sub(r"\x1b\[[0-9;]*m", "", run(program, machine, "mcp", "list"))
    return [line for line in said.splitlines() if re.search(OWN[program].well, line)]


def codeg(machine: Machine, *words: str) -> str:
    done = machine.rig.codeg(*words, patience=SLOWEST_START_S)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_its_own_list_names_us_after_add_and_not_after_remove(program: HostProgram, machine: Machine) -> None:
    codeg(machine, "mcp", "add", program.slug)
    [line] = servers(program, machine)
    assert "codeg" in line
    assert "has this entry already" in codeg(machine, "mcp", "add", program.slug)
    codeg(machine, "mcp", "remove", program.slug)
    assert servers(program, machine) == []


def test_its_variable_moves_our_entry_with_its_files(program: HostProgram, machine: Machine, tmp_path: Path) -> None:
    moved, variable = tmp_path / "moved", OWN[program].variable
    moved.mkdir()
    if program is GEMINI:
        # It starts no server in a folder that is not trusted; the rest of its settings says that all are.
        (moved / ".gemini").mkdir()
        (moved / ".gemini" / "settings.json").write_bytes(program.config(machine.place).read_bytes())
    machine.rig.env[variable] = str(moved)
    said = codeg(machine, "mcp", "add", program.slug)
    assert str(moved) in said
    [line] = servers(program, machine)
    assert "codeg" in line


def test_what_its_own_command_wrote_is_found_and_taken_out(program: HostProgram, machine: Machine) -> None:
    run(program, machine, *OWN[program].add, *COMPANION)
    [line] = servers(program, machine)
    assert "helper" in line
    assert "as helper" in codeg(machine, "mcp", "remove", program.slug)
    assert servers(program, machine) == []


def test_two_adds_at_once_both_succeed_and_write_one_entry(program: HostProgram, machine: Machine) -> None:
    with ThreadPoolExecutor(2) as pool:
        both = [pool.submit(codeg, machine, "mcp", "add", program.slug) for _ in range(2)]
        said = sorted(each.result() for each in both)
    assert [("is registered in" in each, "already" in each) for each in said] in (
        [(True, False), (False, True)],
        [(False, True), (True, False)],
    )
    assert len(servers(program, machine)) == 1


def test_the_doctor_names_the_program_as_it_names_itself(program: HostProgram, machine: Machine) -> None:
    codeg(machine, "mcp", "add", program.slug)
    # What an agent says is no matter here: without its adapter, or offline, it may be broken.
    done = machine.rig.codeg("doctor", "--json", patience=SLOWEST_START_S)
    found: dict[str, Any] = {each["check"]: each for each in json.loads(done.stdout)}
    there = found[f"program {program.slug}"]
    assert f"{program.label} {program.version} is installed" in there["message"]
    for check in (f"registration {program.slug}", f"time limit {program.slug}"):
        assert found[check]["level"] == "ok", found[check]
    assert f"sign-in {program.slug}" in found
