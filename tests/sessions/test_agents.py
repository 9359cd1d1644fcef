"""The catalogue of agents, and what becomes of a user's file."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeg.sessions.agents import Catalogue, load_catalogue
from codeg.sessions.types import AgentDefinition

SLUGS = (
    "claude_code codex open_code gemini cline open_claw hermes code_buddy kimi_code pi grok cursor deepseek qoder "
    "antigravity qwen demo"
)


def nowhere(_name: str) -> None:
    return None


def catalogue(source: str | None) -> Catalogue:
    return load_catalogue(source, nowhere, "agents.toml")


def agent(source: str, slug: str) -> AgentDefinition:
    found = catalogue(source).get(slug)
    assert found is not None
    return found.definition


def reasons(source: str) -> list[str]:
    return [str(problem) for problem in catalogue(source).problems]


def test_every_slug_of_the_contract_is_known_with_a_command_and_a_way_to_install_it() -> None:
    known = catalogue(None).agents
    assert [each.definition.slug for each in known] == SLUGS.split()
    for each in known:
        assert each.definition.label
        assert each.definition.command
        assert each.definition.install.endswith(".")
        assert each.definition.enabled


def test_installed_is_what_the_finder_finds_and_the_demo_always() -> None:
    known = load_catalogue(None, lambda name: f"/opt/bin/{name}" if name == "codex-acp" else None)
    assert [each.definition.slug for each in known.agents if each.installed] == ["codex", "demo"]
    codex = known.get("codex")
    assert codex is not None
    assert codex.program == "/opt/bin/codex-acp"


def test_the_demo_runs_on_our_own_interpreter_isolated() -> None:
    assert agent("", "demo").command == (sys.executable, "-I", "-m", "codeg.demo")


@pytest.mark.parametrize(
    ("slug", "mode"), [("claude_code", "default"), ("codex", "read-only"), ("qwen", "default"), ("gemini", "default")]
)
def test_agents_that_would_not_ask_start_in_their_ask_first_mode(slug: str, mode: str) -> None:
    assert agent("", slug).mode == mode


def test_an_agent_of_the_user_is_added() -> None:
    source = """
        [agents.mine]
        label = "My agent"
        command = ["my-agent", "--acp"]
        env = { MY_KEY = "secret-value" }
        enabled = false
        delegate = false
        mode = "ask"
        options = { model = "small", fast = true }
        install = "Ask me."
        drop_env = ["OTHER"]
    """
    assert agent(source, "custom:mine") == AgentDefinition(
        slug="custom:mine",
        label="My agent",
        command=("my-agent", "--acp"),
        env=(("MY_KEY", "secret-value"),),
        enabled=False,
        delegate=False,
        mode="ask",
        options=(("model", "small"), ("fast", "true")),
        install="Ask me.",
        drop_env=("OTHER",),
    )
    assert not reasons(source)


def test_a_table_named_like_a_built_in_agent_overrides_its_fields_alone() -> None:
    source = '[agents.gemini]\ncommand = ["/opt/gemini", "--acp"]\nenv = { A = "b" }\nmode = ""\n'
    made = agent(source, "gemini")
    assert made.command == ("/opt/gemini", "--acp")
    assert made.env == (("GEMINI_CLI_NO_RELAUNCH", "true"), ("A", "b"))
    assert made.mode == ""
    assert made.label == "Gemini CLI"
    assert len(catalogue(source).agents) == len(SLUGS.split())


def test_a_file_that_is_no_toml_costs_the_users_agents_and_names_file_and_line() -> None:
    found = catalogue('[agents.mine]\nlabel = "x"\ncommand = [oops]\n')
    assert [each.definition.slug for each in found.agents] == SLUGS.split()
    [problem] = found.problems
    assert (problem.file, problem.line) == ("agents.toml", 3)
    assert str(problem).startswith("agents.toml, line 3: This is no TOML: ")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (
            'command = "my-agent --acp"',
            "agents.mine.command must be a list of strings, the program first, not a string.",
        ),
        ("command = []", "agents.mine.command must be a list of strings, the program first, not a list."),
        ('command = ["a", 3]', "agents.mine.command must be a list of strings, the program first, not a list."),
        ("label = 3", "agents.mine.label must be a string that is not empty, not a number."),
        ('enabled = "no"', "agents.mine.enabled must be true or false, not a string."),
        ("env = 3", "agents.mine.env must be a table of strings, not a number."),
        ("env = { A = 3 }", "agents.mine.env.A must be a string, not a number."),
        ('env = { "A=B" = "x" }', "agents.mine.env: 'A=B' is no name of an environment variable."),
        ("mode = true", 'agents.mine.mode must be the id of a mode, or "" for the agent\'s own, not true or false.'),
        ("options = [1]", "agents.mine.options must be a table of strings, true or false, not a list."),
        ("options = { a = 1.5 }", "agents.mine.options.a must be a string, true or false, not a number."),
        ("drop_env = ['a b']", "agents.mine.drop_env must be a list of names of environment variables, not a list."),
        ("install = 1979-05-27", "agents.mine.install must be a string that is not empty, not a date or time."),
        ("comand = ['x']", "agents.mine.comand is not known and was passed over; known are label, command,"),
    ],
)
def test_a_wrong_field_is_one_sentence_with_its_line_and_costs_no_other_agent(line: str, reason: str) -> None:
    rest = "" if line.startswith("command") else 'command = ["mine"]\n'
    source = f'# mine\n[agents.mine]\n{rest}{line}\n\n[agents.fine]\ncommand = ["fine"]\n'
    [problem] = reasons(source)
    number = source.split("\n").index(line) + 1
    assert problem.startswith(f"agents.toml, line {number}: {reason}")
    assert agent(source, "custom:fine").command == ("fine",)


def test_a_wrong_switch_is_off() -> None:
    assert not agent('[agents.mine]\ncommand = ["x"]\nenabled = "false"\n', "custom:mine").enabled


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("[agents.mine]\n", "agents.toml, line 1: agents.mine needs a command: a list of strings, the program first."),
        ("[agents]\nmine = 3\n", "agents.toml, line 2: agents.mine must be a table, not a number."),
        (
            '[agents."Not Good"]\ncommand = ["x"]\n',
            "agents.toml, line 1: 'Not Good' cannot be an agent's id: take 1 to 40",
        ),
        ('[agents."custom:x"]\ncommand = ["x"]\n', "agents.toml, line 1: 'custom:x' cannot be an agent's id"),
        ("agents = 3\n", "agents.toml, line 1: agents must be tables named [agents.<id>]."),
        ("\n[other]\n", "agents.toml, line 2: other is not known here; agents stand in tables named [agents.<id>]."),
    ],
)
def test_a_wrong_table_is_one_sentence_and_adds_no_agent(source: str, reason: str) -> None:
    [problem] = reasons(source)
    assert problem.startswith(reason)
    assert len(catalogue(source).agents) == len(SLUGS.split())


def test_values_of_the_environment_are_shown_nowhere() -> None:
    source = '[agents.mine]\ncommand = ["x"]\nenv = { KEY = "top-secret", N = ["top-secret"] }\nlabel = 5\n'
    found = catalogue(source)
    assert "top-secret" not in repr(found)
    assert found.problems


@given(st.text(max_size=60))
def test_no_text_whatever_makes_it_raise(source: str) -> None:
    assert len(catalogue(source).agents) >= len(SLUGS.split())


VALUES = st.sampled_from(["3", "true", '"x"', "[]", "{}", '["x"]', "{ A = 1 }", "[[1]]", "1979-05-27", "nan"])
KEYS = st.sampled_from(["label", "command", "env", "enabled", "mode", "options", "install", "drop_env", "odd"])


@given(st.dictionaries(KEYS, VALUES), st.sampled_from(["mine", "codex", "demo"]))
def test_no_values_whatever_make_it_raise(fields: dict[str, str], name: str) -> None:
    source = f"[agents.{name}]\n" + "".join(f"{key} = {value}\n" for key, value in fields.items())
    for problem in catalogue(source).problems:
        assert problem.line >= 1
        assert problem.reason.endswith(".")
