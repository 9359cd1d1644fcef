"""Entries of the public registry: what command each comes to, and what is said of those that cannot run here."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeg.sessions.registry_entry import EntryFault, RegistryAgent, read_entry, registry_platform

SYSTEM = "linux-x86_64"
NPX: dict[str, Any] = {
    "id": "some-agent",
    "name": "Some Agent",
    "version": "1.2.3",
    "description": "It writes code.",
    "distribution": {"npx": {"package": "@some/agent", "args": ["--acp"], "env": {"SOME_MODE": "acp"}}},
}
BINARY: dict[str, Any] = {
    "linux-x86_64": {"archive": "https://example.org/a-linux.tar.gz", "cmd": "./bin/some-agent", "args": ["acp"]},
    "windows-x86_64": {"archive": "https://example.org/a-win.zip", "cmd": "dist\\some-agent.exe"},
}


def finding(*names: str) -> Callable[[str], str | None]:
    return lambda name: f"/bin/{name}" if name in names else None


def read(*there: str, system: str = SYSTEM, **change: Any) -> RegistryAgent:
    return read_entry({**NPX, **change}, system, finding(*there))


def refusal(*there: str, system: str = SYSTEM, **change: Any) -> str:
    with pytest.raises(EntryFault) as fault:
        read(*there, system=system, **change)
    return fault.value.message


def test_a_package_of_npx_is_run_in_the_version_of_the_entry() -> None:
    assert read("npx") == RegistryAgent(
        agent_id="some-agent",
        label="Some Agent",
        version="1.2.3",
        command=("npx", "-y", "@some/agent@1.2.3", "--acp"),
        env=(("SOME_MODE", "acp"),),
    )


@pytest.mark.parametrize(
    ("runner", "package", "command"),
    [
        ("npx", "@some/agent@0.9.0", ("npx", "-y", "@some/agent@0.9.0")),
        ("npx", "agent", ("npx", "-y", "agent@1.2.3")),
        ("npx", "agent@latest", ("npx", "-y", "agent@latest")),
        ("uvx", "some-agent", ("uvx", "some-agent@1.2.3")),
        ("uvx", "some-agent==0.9", ("uvx", "some-agent==0.9")),
        ("uvx", "some-agent[acp]@0.9", ("uvx", "some-agent[acp]@0.9")),
    ],
)
def test_a_package_that_is_pinned_stays_as_it_is(runner: str, package: str, command: tuple[str, ...]) -> None:
    assert read(runner, distribution={runner: {"package": package}}).command == command


def test_a_program_on_path_is_preferred_to_a_package() -> None:
    ways = {**NPX["distribution"], "binary": BINARY}
    assert read("npx", "some-agent", distribution=ways).command == ("some-agent", "acp")
    assert read("npx", distribution=ways).command[0] == "npx"
    windows = read("some-agent.exe", system="windows-x86_64", distribution={"binary": BINARY})
    assert windows.command == ("some-agent.exe",)


def test_of_two_runners_the_one_that_is_there_is_taken() -> None:
    ways = {"npx": {"package": "a"}, "uvx": {"package": "b"}}
    assert read("uvx", distribution=ways).command == ("uvx", "b@1.2.3")
    neither = read(distribution=ways)
    assert (neither.command[0], neither.missing) == ("npx", True)


def test_a_program_that_is_not_there_is_never_downloaded_but_its_archive_is_named() -> None:
    assert refusal("npx", distribution={"binary": BINARY}) == (
        "Some Agent is a program of its own: download https://example.org/a-linux.tar.gz, put its some-agent on PATH, "
        "then import the entry again; nothing was written."
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"distribution": {"binary": {"darwin-aarch64": {"cmd": "x", "archive": "y"}}}}, "no program for linux-x86_64"),
        ({"distribution": {}}, "names no way to run it"),
        ({"distribution": {"npx": {"package": "--help"}}}, "names no way to run it"),
        ({"id": ""}, "its id must be"),
        ({"id": "../x"}, "its id must be"),
        ({"id": None}, "its id must be"),
        ({"distribution": {"npx": {"package": "a", "args": [1]}}}, "args must be strings"),
        ({"distribution": {"npx": {"package": "a", "env": {"A B": "x"}}}}, "env must be variables"),
        ({"distribution": {"npx": {"package": "a", "env": {"A": 1}}}}, "env must be variables"),
    ],
)
def test_what_cannot_be_used_is_one_sentence(change: dict[str, Any], said: str) -> None:
    message = refusal("npx", **change)
    assert said in message
    assert message.count(". ") == 0
    assert message.endswith(".")


def test_a_name_is_one_line_and_falls_back_to_the_id() -> None:
    assert read("npx", name="Two\nlines \t here").label == "Two lines here"
    assert read("npx", name=3).label == "some-agent"


@pytest.mark.parametrize(
    ("system", "machine", "named"),
    [
        ("linux", "x86_64", "linux-x86_64"),
        ("linux", "aarch64", "linux-aarch64"),
        ("darwin", "arm64", "darwin-aarch64"),
        ("win32", "AMD64", "windows-x86_64"),
    ],
)
def test_systems_are_named_as_the_registry_names_them(system: str, machine: str, named: str) -> None:
    assert registry_platform(system, machine) == named


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["id", "name", "distribution", "npx", "uvx", "binary", SYSTEM, "package", "args", "env", "cmd"]
            ),
            inner,
            max_size=4,
        )
    ),
)


@given(JSON)
def test_whatever_stands_there_it_is_an_agent_or_one_sentence(document: Any) -> None:
    try:
        assert read_entry(document, SYSTEM, finding("npx")).command
    except EntryFault as fault:
        assert fault.message.endswith(".")
