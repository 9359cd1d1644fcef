"""Changes to agents.toml: what is kept, what is refused, and that no secret is said."""

from pathlib import Path

import pytest
import tomlkit
import tomlkit.exceptions

from codeg.runtime.agents_file import AgentEntry, remove_agent, save_agent
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
