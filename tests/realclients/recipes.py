"""How each real program is brought to use the scripted model, with no network and no key.

One `Recipe` for each kind of program; adapters share that of the program they drive. Owns configuration files below a
home of the test's own, and variables; never starts anything.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Json = dict[str, Any]
# Nobody reads it; the programs only want one.
KEY = "test"


@dataclass(frozen=True, slots=True)
class Place:
    """`home`: of the user; `folder`: to work in; `url`: the model's, without a path."""

    home: Path
    folder: Path
    url: str


@dataclass(frozen=True, slots=True)
class Recipe:
    """`configure` writes files; `env` gives variables beside HOME, PATH and their like."""

    configure: Callable[[Place], None]
    env: Callable[[Place], Mapping[str, str]]


_CODEX = """\
# A comment of the user.
model = "scripted"
model_provider = "scripted"
{policy}check_for_update_on_startup = false

[model_providers.scripted]
name = "scripted"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_API_KEY"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false
"""


def codex_config(url: str, *, policy: bool) -> str:
    """`policy`: approval and sandbox are set, as `codex exec` needs and the adapters do not."""
    said = 'approval_policy = "never"\nsandbox_mode = "read-only"\n' if policy else ""
    return _CODEX.format(url=url, policy=said)


def _codex(place: Place, *, policy: bool) -> None:
    _write(place.home / ".codex" / "config.toml", codex_config(place.url, policy=policy))


CODEX = Recipe(lambda place: _codex(place, policy=True), lambda _: {"SCRIPTED_API_KEY": KEY})
CODEX_ADAPTER = Recipe(lambda place: _codex(place, policy=False), lambda _: {"SCRIPTED_API_KEY": KEY})


def _claude(place: Place) -> None:
    # Someone's own settings, which must outlive us.
    _write(place.home / ".claude" / "settings.json", _json({"permissions": {"defaultMode": "default"}}))
    _write(place.home / ".claude.json", _json({"hasCompletedOnboarding": True, "theme": "dark"}))


CLAUDE = Recipe(
    _claude,
    lambda place: {
        "ANTHROPIC_BASE_URL": place.url,
        "ANTHROPIC_API_KEY": KEY,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "IS_SANDBOX": "1",
    },
)


def _opencode(place: Place) -> None:
    model = {"name": "Scripted", "limit": {"context": 200_000, "output": 8_000}}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "Scripted",
        "options": {"baseURL": f"{place.url}/v1", "apiKey": KEY},
        "models": {"scripted": model},
    }
    settings = {
        "$schema": "https://opencode.ai/config.json",
        "autoupdate": False,
        "share": "disabled",
        "model": "scripted/scripted",
        "small_model": "scripted/scripted",
        "enabled_providers": ["scripted"],
        "provider": {"scripted": provider},
    }
    _write(place.home / ".config" / "opencode" / "opencode.json", _json(settings))


OPENCODE = Recipe(
    _opencode,
    lambda _: {
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
    },
)


def _gemini_like(folder: str, sign_in: str) -> Callable[[Place], None]:
    """Gemini CLI's settings, whose form Qwen Code has kept; `sign_in`: the way that is chosen."""

    def configure(place: Place) -> None:
        settings = {
            "general": {"enableAutoUpdate": False},
            "security": {"auth": {"selectedType": sign_in}, "folderTrust": {"enabled": False}},
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
        }
        _write(place.home / folder / "settings.json", _json(settings))

    return configure


GEMINI = Recipe(
    _gemini_like(".gemini", "gemini-api-key"),
    lambda place: {
        "GEMINI_API_KEY": KEY,
        "GOOGLE_GEMINI_BASE_URL": place.url,
        "GEMINI_CLI_NO_RELAUNCH": "true",
    },
)


QWEN = Recipe(
    _gemini_like(".qwen", "openai"),
    lambda place: {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": f"{place.url}/v1", "OPENAI_MODEL": "scripted"},
)


def _pi(place: Place) -> None:
    model = {"id": "scripted", "name": "Scripted", "contextWindow": 100_000, "maxTokens": 8_000}
    provider = {"baseUrl": f"{place.url}/v1", "api": "openai-completions", "apiKey": KEY, "models": [model]}
    _write(place.home / ".pi" / "agent" / "models.json", _json({"providers": {"scripted": provider}}))
    settings = {"defaultProvider": "scripted", "defaultModel": "scripted"}
    _write(place.home / ".pi" / "agent" / "settings.json", _json(settings))


PI = Recipe(_pi, lambda _: {"PI_OFFLINE": "1"})


def _json(value: Json) -> str:
    return json.dumps(value, indent=2) + "\n"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
