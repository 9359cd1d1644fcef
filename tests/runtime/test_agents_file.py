"""Changes to agents.toml: what is kept, what is refused, and that no secret is said."""

from pathlib import Path

import pytest
import tomlkit
import tomlkit.exceptions

from codeg.runtime.agents_file import AgentEntry, Imported, import_entry, remove_agent, save_agent
from codeg.runtime.services import UserError
from codeg.sessions.agents import load_catalogue
from codeg.sessions.types import AgentDefinition

FULL = """\
# Mine.
[agents.mine]   # keep
label = "Mine"
command = ["mine", "--acp"]  # how
env = { KEY = "secret-1", OLD = "x" }
mode = "plan"
colour = "blue"

[agents.codex]
enabled = false
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config" / "agents.toml"


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def agent(path: Path, slug: str) -> AgentDefinition | None:
    known = load_catalogue(path.read_text(), lambda _name: None).get(slug)
    return known.definition if known is not None else None


def save(path: Path, slug: str, label: str = "", command: tuple[str, ...] = (), **env: str) -> None:
    save_agent(str(path), AgentEntry.of(slug, label, command, env))


def test_an_agent_is_added_to_a_file_that_is_made(path: Path) -> None:
    save(path, "custom:mine", "My agent", ("mine", "--acp"), KEY="v")
    assert path.read_text() == ('[agents.mine]\nlabel = "My agent"\ncommand = ["mine", "--acp"]\nenv = {KEY = "v"}\n')
    assert path.stat().st_mode & 0o777 == 0o600
    made = agent(path, "custom:mine")
    assert made is not None
    assert (made.label, made.command, made.env) == ("My agent", ("mine", "--acp"), (("KEY", "v"),))


def test_a_change_keeps_comments_and_what_is_not_asked_for(path: Path) -> None:
    save(write(path, FULL), "custom:mine", "Mine", ("mine", "--acp"), KEY="secret-2", NEW="y")
    env = (("KEY", "secret-2"), ("NEW", "y"))
    assert agent(path, "custom:mine") == AgentDefinition("custom:mine", "Mine", ("mine", "--acp"), env, mode="plan")
    for kept in ("# Mine.", "# keep", "# how", 'colour = "blue"', "enabled = false"):
        assert kept in path.read_text()


def test_empty_fields_of_a_built_in_agent_are_its_own_again(path: Path) -> None:
    save(write(path, FULL), "codex", "My Codex", ("/opt/codex",), A="1")
    changed = agent(path, "codex")
    assert changed is not None
    assert (changed.label, changed.command, changed.env, changed.enabled) == (
        "My Codex",
        ("/opt/codex",),
        (("A", "1"),),
        False,
    )
    save(path, "codex")
    own = agent(path, "codex")
    assert own is not None
    assert (own.label, own.command, own.env, own.enabled) == ("Codex", ("codex-acp",), (), False)


def test_a_change_to_what_it_is_already_writes_nothing(path: Path) -> None:
    write(path, FULL)
    before = path.stat()
    save(path, "custom:mine", "Mine", ("mine", "--acp"), KEY="secret-1", OLD="x")
    assert (path.read_text(), path.stat().st_ino) == (FULL, before.st_ino)


@pytest.mark.parametrize(
    "text",
    [
        '[agents]\nmine = { label = "Old", command = ["a"] }\n',
        'agents.mine.label = "Old"\nagents.mine.command = ["a"]\n',
        'agents = { mine = { label = "Old", command = ["a"] } }\n',
        '[agents.mine]\ncommand = ["a"]\n[agents.mine.env]\nA = "1"\n# end\n',
        '\ufeff[agents.mine]\ncommand = ["a"]\n',
        '[agents.mine]\r\ncommand = ["a"]\r\n',
        "",
    ],
)
def test_every_form_of_the_file_is_changed_or_left_alone(path: Path, text: str) -> None:
    save(write(path, text), "custom:mine", "New", ("b",), A="2")
    made = agent(path, "custom:mine")
    assert made is not None
    assert (made.label, made.command, made.env) == ("New", ("b",), (("A", "2"),))
    remove_agent(str(path), "custom:mine")
    assert agent(path, "custom:mine") is None


@pytest.mark.parametrize(
    ("slug", "command", "env", "reason"),
    [
        ("custom:Not An Id", ("x",), {}, "cannot be an agent's id"),
        ("custom:new", (), {}, "needs a command"),
        ("custom:new", (" ",), {}, "must be a list of strings"),
        ("custom:new", ("x",), {"BAD NAME": "s3cret"}, "is no name of an environment variable"),
        ("custom:new", ("x",), {"NAME": "s3cret\0"}, "must be a string"),
        ("new", ("x",), {}, "There is no agent new"),
        ("custom:codex", ("x",), {}, "There is no agent custom:codex"),
    ],
)
def test_what_the_file_cannot_have_is_one_sentence_and_writes_nothing(
    path: Path, slug: str, command: tuple[str, ...], env: dict[str, str], reason: str
) -> None:
    write(path, FULL)
    with pytest.raises(UserError, match=reason) as refused:
        save_agent(str(path), AgentEntry.of(slug, "", command, env))
    assert path.read_text() == FULL
    assert "s3cret" not in str(refused.value)


@pytest.mark.parametrize("text", ['[agents.mine]\ncommand = ["a"\nenv = { K = "s3cret" }\n', "agents = 3\n"])
def test_a_broken_file_is_refused_with_its_line(path: Path, text: str) -> None:
    write(path, text)
    for change in (lambda: save(path, "custom:new", "", ("x",)), lambda: remove_agent(str(path), "custom:mine")):
        with pytest.raises(UserError, match=r"agents\.toml, line \d: .* Mend that line first") as refused:
            change()
        assert "s3cret" not in str(refused.value)
    assert path.read_text() == text


def test_faults_that_were_there_before_stand_in_nobodys_way(path: Path) -> None:
    write(path, FULL + "[agents.other]\nmode = 3\n")
    save(path, "custom:mine", "Better", ("mine",))
    assert (made := agent(path, "custom:mine")) is not None
    assert made.label == "Better"


def test_an_agent_is_taken_out_and_the_rest_stays(path: Path) -> None:
    write(path, FULL)
    remove_agent(str(path), "custom:mine")
    assert "# Mine." in path.read_text()
    assert agent(path, "custom:mine") is None
    assert (codex := agent(path, "codex")) is not None
    assert not codex.enabled
    remove_agent(str(path), "codex")
    assert (codex := agent(path, "codex")) is not None
    assert codex.enabled
    for slug in ("codex", "custom:nobody", "mine"):
        with pytest.raises(UserError, match=f"says nothing of {slug}"):
            remove_agent(str(path), slug)


def test_a_form_that_cannot_be_changed_here_is_left_to_the_person(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(path, FULL)

    def refuse(_text: str) -> object:
        raise tomlkit.exceptions.ParseError(1, 1, "odd")

    def lose(_document: object) -> str:
        return FULL.replace("enabled = false", "")

    for name, fake in (("parse", refuse), ("dumps", lose)):
        with monkeypatch.context() as patched:
            patched.setattr(tomlkit, name, fake)
            with pytest.raises(UserError, match="edit the file by hand"):
                save(path, "custom:mine", "New", ("b",))
    assert path.read_text() == FULL


ENTRY = """{"id": "some-agent", "name": "Some Agent", "version": "1.2.3", "description": "…",
  "distribution": {"npx": {"package": "@some/agent", "args": ["--acp"], "env": {"MODE": "acp", "KEY": "theirs"}}}}
"""


def imported(path: Path, text: str | bytes, *there: str) -> Imported:
    entry = path.parent.parent / "agent.json"
    entry.write_bytes(text if isinstance(text, bytes) else text.encode())

    def find(name: str) -> str | None:
        return f"/bin/{name}" if name in there else None

    return import_entry(str(path), str(entry), "linux-x86_64", find)


def test_an_entry_of_the_registry_is_added_and_every_other_byte_stays(path: Path) -> None:
    write(path, FULL)
    assert imported(path, ENTRY, "npx") == Imported(
        "custom:some-agent", "Some Agent", ("npx", "-y", "@some/agent@1.2.3", "--acp"), ""
    )
    assert path.read_text().startswith(FULL)
    made = agent(path, "custom:some-agent")
    assert made is not None
    assert dict(made.env) == {"MODE": "acp", "KEY": "theirs"}


def test_a_newer_entry_keeps_what_the_user_set(path: Path) -> None:
    path.parent.mkdir()
    imported(path, ENTRY, "npx")
    text = path.read_text().replace('"theirs"', '"mine"') + 'mode = "plan"\n'
    path.write_text(text)
    imported(path, ENTRY.replace("1.2.3", "2.0.0"), "npx")
    made = agent(path, "custom:some-agent")
    assert made is not None
    assert (made.command[2], dict(made.env)["KEY"], made.mode) == ("@some/agent@2.0.0", "mine", "plan")


def test_an_entry_of_a_built_in_agent_changes_its_command(path: Path) -> None:
    path.parent.mkdir()
    made = imported(path, ENTRY.replace("some-agent", "gemini"), "npx")
    assert made.slug == "gemini"
    found = agent(path, "gemini")
    assert found is not None
    assert found.command[0] == "npx"
    assert ("GEMINI_CLI_NO_RELAUNCH", "true") in found.env


def test_a_runner_that_is_not_there_is_named(path: Path) -> None:
    path.parent.mkdir()
    assert imported(path, ENTRY).note == "npx was not found; install it, or put it on PATH."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "agent.json is no JSON."),
        ("[" * 100_000, "agent.json is no JSON."),
        ("[]", "its id must be"),
        (b"\xff{}", "it is not UTF-8"),
        (ENTRY.replace("npx", "docker"), "names no way to run it"),
        (" " * (1024 * 1024 + 1), "has more than 1048576 bytes"),
    ],
)
def test_an_entry_that_cannot_be_used_writes_nothing(path: Path, text: str | bytes, said: str) -> None:
    write(path, FULL)
    with pytest.raises(UserError) as refused:
        imported(path, text, "npx")
    assert said in refused.value.message
    assert path.read_text() == FULL


def test_without_a_file_there_is_nothing_to_import(path: Path) -> None:
    with pytest.raises(UserError) as refused:
        import_entry(str(path), str(path.parent / "none.json"), "linux-x86_64", lambda _: None)
    assert refused.value.message.startswith("There is no file ")
