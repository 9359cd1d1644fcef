"""Requests as the host reads them: a closed union on `kind`, strict and frozen (contract 5).

Host only: the companion never imports this. Owns what a well-formed request is; never decides whether it is allowed.
The listener works in three steps, so that the token is judged before any other field is acted on: `decode_request`,
`authority_fields`, then `validate`. Each ends in a value or in one `WireFault`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from codeg.wire import payload as _payload
from codeg.wire.frames import MAX_FRAME
from codeg.wire.requests import is_object
from codeg.wire.version import PROTOCOL

FaultCode = Literal["invalid_request", "too_large", "not_authorized", "version_mismatch", "busy"]
Op = Literal[
    "sessions", "tasks", "show", "wait", "result", "cancel", "resume", "asks", "answer", "note", "raise", "stop", "run"
]

MAX_IDS = 1000
"""Ids in one request."""
MAX_HANDLE = 1024
"""Characters of a handle that the host remembers."""


class WireFault(Exception):
    """Why a request never became a call. `message` is one sentence, names the field, and quotes no value of it."""

    def __init__(self, code: FaultCode, message: str) -> None:
        super().__init__(message)
        self.code: FaultCode = code
        self.message = message


class Authority(NamedTuple):
    """What is read before the token is judged; `kind` as it came, not yet known to exist."""

    token: str
    kind: str


Count = Annotated[int, Field(ge=0)]
Handle = Annotated[str, Field(min_length=1, max_length=MAX_HANDLE)]
# JSON has lists only; frozen models hold tuples of them. Strictness of the items stays.
Ids = Annotated[tuple[str, ...], Field(strict=False, min_length=1, max_length=MAX_IDS)]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class _Request(_Model):
    token: str = Field(repr=False)


class Client(_Model):
    """Who says hello. `cwd` is absolute as the companion saw it; `pid` is the companion's."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    version: str | None = None
    pid: Annotated[int, Field(gt=0)]
    cwd: Annotated[str, Field(min_length=1)]
    session_id: str | None = None


class Hello(_Request):
    """Opens the lease of an outside session."""

    kind: Literal["hello"]
    client: Client


class Catalog(_Request):
    """Which agents and groups are on."""

    kind: Literal["catalog"]


class Call(_Request):
    """One delegation; `input` holds the arguments as given, judged by the host as a call, not as a request."""

    kind: Literal["call"]
    parent_connection_id: str
    parent_tool_use_id: Annotated[str, Field(max_length=MAX_HANDLE)] = ""
    external_handle: Handle
    input: dict[str, Any]


class Status(_Request):
    """Reports of tasks. `wait_ms` None: snapshot; 0: until something happens; else at most that many milliseconds.

    `listens`: for what the parent's program is told beside its model's calls; it uses up nothing that is new to them.
    """

    kind: Literal["status"]
    task_ids: Ids
    wait_ms: Count | None = None
    result_offset: Count | None = None
    max_bytes: Count | None = None
    listens: bool = False

    @model_validator(mode="after")
    def _one_id_for_an_offset(self) -> Status:
        if self.result_offset is not None and len(self.task_ids) != 1:
            raise ValueError("The field result_offset needs exactly one id in task_ids")
        return self


class CancelTask(_Request):
    """Ends a task."""

    kind: Literal["cancel_task"]
    task_id: str


class ResumeTask(_Request):
    """Goes on with a task."""

    kind: Literal["resume_task"]
    task_id: str


class Cancel(_Request):
    """Withdraws a call that is still being set up, or one that has not come yet."""

    kind: Literal["cancel"]
    external_handle: Handle
    reason: str | None = None


class Feedback(_Request):
    """Pulls notes and late answers."""

    kind: Literal["feedback"]


class CommitFeedback(_Request):
    """These notes and answers were written to the agent."""

    kind: Literal["commit_feedback"]
    ids: Ids


class Option(_Model):
    """One choice of a question."""

    label: Annotated[str, Field(min_length=1)]
    description: str = ""


class Question(_Model):
    """One question to the person (contract 6, ask_user_question)."""

    question: Annotated[str, Field(min_length=1)]
    header: Annotated[str, Field(min_length=1, max_length=12)]
    multiSelect: bool = False  # noqa: N815  # the contract's name
    options: Annotated[tuple[Option, ...], Field(strict=False, min_length=2, max_length=4)]


class Ask(_Request):
    """Asks the person: exactly one of `questions` and `question_id`."""

    kind: Literal["ask"]
    questions: Annotated[tuple[Question, ...], Field(strict=False, min_length=1, max_length=4)] | None = None
    question_id: str | None = None
    wait_ms: Count | None = None

    @model_validator(mode="after")
    def _new_or_known(self) -> Ask:
        if (self.questions is None) == (self.question_id is None):
            raise ValueError("Exactly one of the fields questions and question_id is needed")
        return self


class Answer(_Model):
    """The answer to one question: its exact text, the labels chosen, and free text."""

    question: Annotated[str, Field(min_length=1)]
    selected: Annotated[tuple[str, ...], Field(strict=False, max_length=4)] = ()
    other: str | None = None


class AnswerQuestion(_Request):
    """The word of the person at an outside session's program on that session's own question.

    Exactly one of `answers` and `decline`.
    """

    kind: Literal["answer_question"]
    question_id: Annotated[str, Field(min_length=1)]
    answers: Annotated[tuple[Answer, ...], Field(strict=False, min_length=1, max_length=4)] | None = None
    decline: bool = False

    @model_validator(mode="after")
    def _answered_or_declined(self) -> AnswerQuestion:
        if (self.answers is None) != self.decline:
            raise ValueError("Exactly one of the fields answers and decline is needed")
        return self


class Operator(_Request):
    """A command of the person. `args`: the fields that stood beside `op`, as they came."""

    kind: Literal["operator"]
    op: Op
    args: dict[str, Any]

    @model_validator(mode="before")
    @classmethod
    def _collect(cls, value: Any) -> Any:
        fields: dict[str, Any] = value
        known = ("kind", "v", "token", "op")
        return {name: fields[name] for name in known if name in fields} | {
            "args": {name: field for name, field in fields.items() if name not in known}
        }


Request = (
    Hello
    | Catalog
    | Call
    | Status
    | CancelTask
    | ResumeTask
    | Cancel
    | Feedback
    | CommitFeedback
    | Ask
    | AnswerQuestion
    | Operator
)
KINDS: frozenset[str] = frozenset(get_args(model.model_fields["kind"].annotation)[0] for model in get_args(Request))

_ADAPTER: TypeAdapter[Request] = TypeAdapter(Annotated[Request, Field(discriminator="kind")])


def parse_request(payload: bytes) -> Request:
    """All three steps at once, for callers that judge the token elsewhere.

    Raises:
        WireFault: `too_large`, `invalid_request`, `not_authorized` (no token at all) or `version_mismatch`.
    """
    fields = decode_request(payload)
    authority_fields(fields)
    return validate(fields)


def decode_request(payload: bytes) -> dict[str, Any]:
    """First step: the JSON object of a payload.

    Raises:
        WireFault: `too_large` over 16 MiB, `invalid_request` if it is no JSON object.
    """
    if len(payload) > MAX_FRAME:
        raise WireFault("too_large", f"The request holds {len(payload)} bytes; at most {MAX_FRAME} are taken.")
    try:
        value = _payload.decode(payload)
    except _payload.Unreadable as error:
        raise WireFault("invalid_request", f"The request cannot be read. {error}") from None
    if not is_object(value):
        raise WireFault("invalid_request", "The request must be one JSON object.")
    return value


def authority_fields(fields: dict[str, Any]) -> Authority:
    """Second step: what the listener judges first.

    Raises:
        WireFault: `not_authorized` without a token that is text.
    """
    token, kind = fields.get("token"), fields.get("kind")
    if type(token) is not str or not token:
        raise WireFault("not_authorized", "The request carries no token.")
    return Authority(token, kind if type(kind) is str else "")


def validate(fields: dict[str, Any]) -> Request:
    """Third step, once the token is known: the request itself. An absent `v` is 1.

    Raises:
        WireFault: `version_mismatch` or `invalid_request`, naming the field.
    """
    version = fields.get("v", PROTOCOL)
    if type(version) is not int:
        raise WireFault("invalid_request", "The field v must be an integer.")
    if version != PROTOCOL:
        text = f"The request speaks version {version} of the socket protocol, this host version {PROTOCOL}."
        raise WireFault("version_mismatch", text)
    try:
        return _ADAPTER.validate_python(fields)
    except ValidationError as error:
        raise WireFault("invalid_request", _sentence(error)) from None


_WORDS: dict[str, str] = {
    "missing": "is missing",
    "tuple_type": "must be a list",
    "string_type": "must be text",
    "int_type": "must be an integer",
    "bool_type": "must be true or false",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "literal_error": "must be one of {expected}",
    "too_short": "needs at least {min_length} of them",
    "too_long": "takes at most {max_length} of them",
    "string_too_short": "must have at least {min_length} character",
    "string_too_long": "takes at most {max_length} characters",
    "greater_than_equal": "must be at least {ge}",
    "greater_than": "must be more than {gt}",
}
"""What each kind of failure of these models says, in the words of JSON; others say "is not valid"."""


def _sentence(error: ValidationError) -> str:
    """The first thing wrong, without its value: a value may be a secret."""
    first = error.errors(include_url=False, include_input=False)[0]
    kind = first["type"]
    if kind == "union_tag_not_found":
        return "The field kind is missing."
    if kind == "union_tag_invalid":
        return f"The field kind must be one of {', '.join(sorted(KINDS))}."
    context = first.get("ctx", {})
    if kind == "value_error":
        return f"{context['error']}."
    path = ".".join(str(part) for part in first["loc"][1:])
    return f"The field {path} {_WORDS.get(kind, 'is not valid').format(**context)}."
