import pytest

from codeg.demo.mentions import Command, Mention, read_command, read_mentions


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("@demo survey\n@demo todos", [("demo", "survey"), ("demo", "todos")]),
        ("@demo survey + @demo todos", [("demo", "survey"), ("demo", "todos")]),
        (
            "Please @codex fix the tests, and @claude_code review it.",
            [("codex", "fix the tests"), ("claude_code", "review it.")],
        ),
        ("@custom:mine do it", [("custom:mine", "do it")]),
        ("@demo @demo survey", [("demo", "@demo survey")]),
        ("@demo [@demo survey @demo todos] @demo readme", [("demo", "@demo survey @demo todos"), ("demo", "readme")]),
        ("@demo [unclosed", [("demo", "[unclosed")]),
        ("write to me@example.com", []),
        ("survey", []),
        ("", []),
    ],
)
def test_mentions_are_read_in_order(prompt: str, expected: list[tuple[str, str]]) -> None:
    assert read_mentions(prompt) == tuple(Mention(agent, task) for agent, task in expected)


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("survey", Command("survey", "")),
        ("Survey.", Command("survey", "")),
        ("please\n  find  needle in hay ", Command("find", "needle in hay")),
        ("outline a b.py", Command("outline", "a b.py")),
        ("Surveyor needed", None),
        ("", None),
    ],
)
def test_the_first_line_that_names_a_command_counts(prompt: str, expected: Command | None) -> None:
    assert read_command(prompt) == expected
