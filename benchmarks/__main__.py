"""`python -m benchmarks`: the command line, the order of the run, the table. Exit code 1 when a target is missed."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import loads, sequential
from benchmarks.figures import BARE, CORE, OURS, Record, heading
from benchmarks.hosts import NoHost, no_host, real_host, stub_host
from benchmarks.measuring import Measurement, Setting, measure
from benchmarks.roster import Peer, gather

if TYPE_CHECKING:
    from collections.abc import Iterator

STAND_IN = (
    "In the targets, core is the minimal Node server. It does less than a real core does, so these rows are stricter\n"
    "than their targets mean; --core takes the real one."
)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Measures the companion beside its peers."
    )
    parser.add_argument("--quick", action="store_true", help="fewer rounds and smaller loads; about a minute")
    parser.add_argument(
        "-k", metavar="NAME", default="", help="only figures with NAME in their name, or of target NAME (P1)"
    )
    parser.add_argument(
        "--peers", metavar="DIR", type=Path, help="where peers are installed (default: a temporary folder)"
    )
    parser.add_argument(
        "--core", metavar="FILE", type=Path, help="the small Node core as one ES module (see README.md)"
    )
    parser.add_argument("--list", action="store_true", help="print the names of the figures and end")
    return parser.parse_args()


def _selected(word: str) -> Iterator[tuple[Measurement, list[str]]]:
    """The measurements that give a figure which is asked for, and the names of those figures."""
    for measurement in (*sequential.MEASUREMENTS, *loads.MEASUREMENTS):
        names = [figure.name for figure in measurement.figures if figure.matches(word)]
        if names:
            yield measurement, names


def _open(stack: ExitStack, quick: bool, wants_host: bool) -> Setting:
    real = None
    if wants_host:
        try:
            real = stack.enter_context(real_host())
        except NoHost as error:
            print(f"relay-host is left out: codeg serve did not start: {error}")
    return Setting(stack.enter_context(no_host()), stack.enter_context(stub_host()), real, quick)


def _introduce(peers: list[Peer]) -> None:
    cores, load = os.cpu_count() or 1, os.getloadavg()[0]
    print(f"Python {platform.python_version()} on {platform.system()}, {cores} cores, load {load:.1f}")
    print(", ".join(f"{peer.name} {peer.version}" for peer in peers))
    if all(peer.name != CORE for peer in peers):
        print(STAND_IN)
    print()


def _run(setting: Setting, peers: list[Peer], chosen: list[tuple[Measurement, list[str]]]) -> list[Record]:
    """Measures and prints each row as soon as it is known."""
    columns = [*(peer.name for peer in peers if peer.name != OURS), BARE]
    print(heading(columns), flush=True)
    records: list[Record] = []
    failures: list[str] = []
    for measurement, names in chosen:
        found, failed = measure(measurement, setting, peers)
        # A figure that ours did not give, without failing, was left out on purpose.
        shown = [r for r in found if r.figure.name in names and (OURS in failed or r.middle(OURS) is not None)]
        for record in shown:
            print(record.row(columns), flush=True)
        records += shown
        failures += [f"{names[0]}: {peer} failed: {reason}" for peer, reason in failed.items()]
    print("\n".join(failures), end="\n" if failures else "")
    return records


def main() -> int:
    """Runs what the command line asks for."""
    arguments = _arguments()
    chosen = list(_selected(arguments.k))
    if arguments.list or not chosen:
        print("\n".join(name for _, names in chosen for name in names) or f"No figure is named {arguments.k}.")
        return 0 if chosen else 2
    if sys.platform != "linux":
        print("These figures need the /proc and the processor clocks of Linux.")
        return 2
    peers, absent = gather(arguments.peers, arguments.core)
    print("\n".join(absent), end="\n" if absent else "")
    _introduce(peers)
    with ExitStack() as stack:
        setting = _open(stack, arguments.quick, any("relay-host" in names for _, names in chosen))
        records = _run(setting, peers, chosen)
    verdicts = [record.verdict() for record in records]
    print(f"\n{verdicts.count('ok')} passed, {verdicts.count('MISS')} failed")
    return 1 if "MISS" in verdicts else 0


if __name__ == "__main__":
    sys.exit(main())
