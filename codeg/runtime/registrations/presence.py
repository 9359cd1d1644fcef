"""Which host program is there: its version, and whether somebody is signed in to it, as the program itself says.

Owns two short runs of each program: `--version`, and its own command for the sign-in where it has one. They run from
`/`, where no stranger's project settings lie, with a folder of their own for temporary files. Asks no network by
itself, and repeats nothing of what a program says of keys.
"""

import re
import tempfile
from collections.abc import Callable, Sequence

from codeg.runtime.findings import Finding
from codeg.runtime.registrations import documents
from codeg.runtime.registrations.files import hold
from codeg.runtime.registrations.json_layout import BrokenText
from codeg.runtime.registrations.programs import Place, Program
from codeg.runtime.registrations.registrar import Surroundings
from codeg.runtime.registrations.trial import Ran, run_command
from codeg.runtime.services import UserError
from codeg.sessions.reading import from_json, mapping, text

VERSION_S = 15.0
"""`--version`. Normal is 0.1 to 5 s (`opencode` and `gemini` load all of themselves first)."""
SIGN_IN_S = 15.0
"""A program's own word on the sign-in. Normal is 0.1 to 3 s."""

_VERSION = re.compile(r"\d+\.\d+[0-9A-Za-z.+-]*")
_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
_STORED = re.compile(r"(\d+) credentials?\b")
_IN_ENVIRONMENT = re.compile(r"(\d+) environment variables?\b")
_PLAIN = re.compile(r"[A-Za-z0-9_. -]{1,40}")
# Before it, the words would have been taken as a prompt.
_CLAUDE_AUTH_SINCE = (2, 1, 41)
_OWN_PROVIDERS = ("", "openai")

Told = tuple[bool | None, str]
"""Signed in or not (None: not known), and the words behind "PROGRAM is signed in" or "whether ... is not known"."""


async def presence_findings(program: Program, around: Surroundings, how: str) -> list[Finding]:
    """That the program is there, its version, and its sign-in where it has a command that tells.

    `how`: what to do to sign in. At most `VERSION_S` and `SIGN_IN_S`, and 5 s each for the end of what does not end.
    """
    found = around.find(program.command)
    if found is None:
        return []
    with tempfile.TemporaryDirectory(prefix="codeg-look-", ignore_cleanup_errors=True) as folder:
        env = {**around.place.env, "PATH": around.path, "TMPDIR": folder}
        ran = await run_command((found, "--version"), env, "/", VERSION_S)
        version = _version(ran)
        findings = [_there(program, found, ran, version)]
        if version and (asking := _SIGN_IN.get(program.slug)) is not None and _can_tell(program, version):
            words, read = asking
            told = read(await run_command((found, *words), env, "/", SIGN_IN_S), around.place)
            findings.append(sign_in_finding(program, told, how))
    return findings


def sign_in_finding(program: Program, told: Told, how: str) -> Finding:
    """The finding from what was told. What is not known is no fault."""
    signed_in, words = told
    check = f"sign-in {program.slug}"
    if signed_in is None:
        return Finding(check, "ok", f"Whether {program.label} is signed in is not known: {words}.")
    if signed_in:
        return Finding(check, "ok", f"{program.label} is signed in{words}.")
    return Finding(check, "warning", f"{program.label} is not signed in{words}.", how)


def _there(program: Program, found: str, ran: Ran | None, version: str) -> Finding:
    check = f"program {program.slug}"
    if version:
        return Finding(check, "ok", f"{program.label} {version} is installed ({found}).")
    why = f"did not end within {VERSION_S:.0f} s" if ran is None else f"said: {ran.said or 'nothing'}"
    message = f"{program.label} is installed ({found}), but does not tell its version; it {why}."
    return Finding(check, "warning", message, f"Run `{program.command} --version` in a terminal and mend what it says.")


def _version(ran: Ran | None) -> str:
    found = _VERSION.search(ran.output) if ran is not None and ran.ok else None
    return found[0].rstrip(".") if found else ""


def _can_tell(program: Program, version: str) -> bool:
    parts = tuple(int(part) for part in re.findall(r"\d+", version)[:3])
    return program.slug != "claude-code" or parts >= _CLAUDE_AUTH_SINCE


# ---- what each program says (Claude Code 2.1.332, Codex 0.171, OpenCode 1.18.33)


def _claude(ran: Ran | None, _place: Place) -> Told:
    told = mapping(from_json(ran.output)) if ran is not None else {}
    signed_in = told.get("loggedIn")
    if not isinstance(signed_in, bool):
        return None, "`claude auth status` says nothing that is understood"
    method = text(told.get("apiProvider" if told.get("authMethod") == "third_party" else "authMethod"))
    return signed_in, f" ({method})" if signed_in and _PLAIN.fullmatch(method) else ""


def _codex(ran: Ran | None, place: Place) -> Told:
    if ran is None:
        return None, "`codex login status` does not end"
    if ran.ok:
        return True, ""
    if "not logged in" not in ran.said.lower():
        return None, "`codex login status` says nothing that is understood"
    provider = _codex_provider(place)
    if provider not in _OWN_PROVIDERS:
        return None, f"its configuration names the model provider {provider}, whose sign-in it does not look at"
    return False, ""


def _codex_provider(place: Place) -> str:
    try:
        held = hold(f"{place.under('CODEX_HOME', '.codex')}/config.toml")
        return text(documents.value_at(held.text, "toml", ("model_provider",)))
    except (UserError, BrokenText):
        return ""


def _opencode(ran: Ran | None, _place: Place) -> Told:
    said = _ESCAPE.sub("", ran.output) if ran is not None and ran.ok else ""
    stored, elsewhere = _STORED.search(said), _IN_ENVIRONMENT.search(said)
    if stored is None:
        return None, "`opencode auth list` says nothing that is understood"
    if int(stored[1]) or elsewhere:
        from_environment = f", {elsewhere[1]} from the environment" if elsewhere else ""
        return True, f" (credentials: {stored[1]} stored{from_environment})"
    return None, "it has no stored credentials, and some of its models need none"


_SIGN_IN: dict[str, tuple[Sequence[str], Callable[[Ran | None, Place], Told]]] = {
    "claude-code": (("auth", "status"), _claude),
    "codex": (("login", "status"), _codex),
    "opencode": (("auth", "list"), _opencode),
}
