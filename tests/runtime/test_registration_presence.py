"""What a host program says of itself: its version and its sign-in. The words are those of the real programs."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from codeg.runtime.registrations import presence
from codeg.runtime.registrations.presence import presence_findings
from codeg.runtime.registrations.programs import Place
from codeg.runtime.registrations.registrar import Surroundings, program_of

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(sys.platform == "win32", reason="programs are scripts")]

CLAUDE = "2.1.332 (Claude Code)"
Install = Callable[..., None]


@pytest.fixture
def around(tmp_path: Path) -> Surroundings:
    for name in ("home", "work", "bin"):
        (tmp_path / name).mkdir()
    env = {"HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin"}
    return Surroundings(Place(env["HOME"], str(tmp_path / "work"), env), f"{tmp_path / 'bin'}:/usr/bin:/bin", None)


@pytest.fixture
def install(tmp_path: Path) -> Install:
    def installed(name: str, version: str, said: str = "", *, code: int = 0, on: str = "stdout") -> None:
        (tmp_path / "said").write_text(said)
        program = tmp_path / "bin" / name
        program.write_text(
            f"#!{sys.executable}\nimport os, sys\n"
            f"open({str(tmp_path / 'calls')!r}, 'a').write(repr((sys.argv[1:], os.getcwd())) + chr(10))\n"
            f"if sys.argv[1:] == ['--version']:\n    print({version!r})\nelse:\n"
            f"    print(open({str(tmp_path / 'said')!r}).read(), file=sys.{on})\n    sys.exit({code})\n"
        )
        program.chmod(0o755)

    return installed


async def told(around: Surroundings, slug: str) -> list[tuple[str, str, str, str]]:
    found = await presence_findings(program_of(slug), around, "Sign in.")
    return [(each.check, each.level, each.message, each.fix) for each in found]


async def test_a_program_that_is_not_there_is_no_finding(around: Surroundings) -> None:
    assert await told(around, "codex") == []


async def test_the_version_is_what_the_program_says(around: Surroundings, install: Install, tmp_path: Path) -> None:
    install("gemini", "0.61.0")
    message = f"Gemini CLI 0.61.0 is installed ({tmp_path / 'bin/gemini'})."
    assert await told(around, "gemini") == [("program gemini", "ok", message, "")]


async def test_what_tells_no_version_is_a_warning(around: Surroundings, install: Install) -> None:
    install("qwen", "I am new")
    [(_, level, message, fix)] = await told(around, "qwen")
    assert (level, fix) == ("warning", "Run `qwen --version` in a terminal and mend what it says.")
    assert message.endswith("but does not tell its version; it said: I am new.")


async def test_what_does_not_end_is_a_warning(
    around: Surroundings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "VERSION_S", 0.2)
    program = tmp_path / "bin/codex"
    program.write_text("#!/bin/sh\nexec sleep 600\n")
    program.chmod(0o755)
    [(_, level, message, _)] = await told(around, "codex")
    assert level == "warning"
    assert message.endswith("but does not tell its version; it did not end within 0 s.")


SIGNED_IN: list[tuple[str, str, str, dict[str, object], str, str]] = [
    ("claude-code", CLAUDE, '{"loggedIn": true, "authMethod": "api_key"}', {}, "ok", "is signed in (api_key)."),
    (
        "claude-code",
        CLAUDE,
        '{"loggedIn": true, "authMethod": "third_party", "apiProvider": "bedrock"}',
        {},
        "ok",
        "is signed in (bedrock).",
    ),
    ("claude-code", CLAUDE, '{"loggedIn": false}', {"code": 1}, "warning", "Claude Code is not signed in."),
    ("claude-code", CLAUDE, "gibberish", {"code": 1}, "ok", "Whether Claude Code is signed in is not known: "),
    ("claude-code", CLAUDE, "[" * 60_000, {"code": 1}, "ok", "Whether Claude Code is signed in is not known: "),
    ("codex", "codex-cli 0.171.0", "API key configured - sk-test1***67890", {"on": "stderr"}, "ok", "is signed in."),
    ("codex", "codex-cli 0.171.0", "Not logged in", {"code": 1, "on": "stderr"}, "warning", "Codex is not signed in."),
    (
        "codex",
        "codex-cli 0.171.0",
        "Oops",
        {"code": 1, "on": "stderr"},
        "ok",
        "Whether Codex is signed in is not known",
    ),
    (
        "opencode",
        "1.18.33",
        "┌  Credentials \x1b[90m~/auth.json\n│\n●  OpenAI \x1b[90mapi\n│\n└  1 credentials\n",
        {},
        "ok",
        "is signed in (credentials: 1 stored).",
    ),
    (
        "opencode",
        "1.18.33",
        "└  0 credentials\n\n┌  Environment\n●  OpenAI OPENAI_API_KEY\n└  1 environment variable\n",
        {},
        "ok",
        "is signed in (credentials: 0 stored, 1 from the environment).",
    ),
    ("opencode", "1.18.33", "└  0 credentials\n", {}, "ok", "Whether OpenCode is signed in is not known: it has no"),
]


@pytest.mark.parametrize("case", SIGNED_IN)
async def test_the_sign_in_is_what_the_program_says(
    around: Surroundings, install: Install, case: tuple[str, str, str, dict[str, object], str, str]
) -> None:
    slug, version, said, how, level, message = case
    install(program_of(slug).command, version, said, **how)
    _, sign_in = await told(around, slug)
    assert (sign_in[0], sign_in[1]) == (f"sign-in {slug}", level)
    assert message in sign_in[2]
    assert "sk-" not in sign_in[2]
    assert sign_in[3] == ("Sign in." if level == "warning" else "")


async def test_codex_with_a_provider_of_its_own_is_not_known(
    around: Surroundings, install: Install, tmp_path: Path
) -> None:
    install("codex", "codex-cli 0.171.0", "Not logged in", code=1, on="stderr")
    file = tmp_path / "home/.codex/config.toml"
    file.parent.mkdir()
    file.write_text('model_provider = "local"\n')
    message = (await told(around, "codex"))[1][2]
    assert "not known: its configuration names the model provider local" in message


async def test_an_old_claude_is_not_asked_since_it_would_take_the_words_for_a_prompt(
    around: Surroundings, install: Install, tmp_path: Path
) -> None:
    install("claude", "2.1.40 (Claude Code)")
    assert len(await told(around, "claude-code")) == 1
    assert len((tmp_path / "calls").read_text().splitlines()) == 1


async def test_programs_run_where_no_strangers_settings_lie(
    around: Surroundings, install: Install, tmp_path: Path
) -> None:
    install("claude", CLAUDE, json.dumps({"loggedIn": True}))
    await told(around, "claude-code")
    calls = (tmp_path / "calls").read_text().splitlines()
    assert calls == [repr((["--version"], "/")), repr((["auth", "status"], "/"))]
