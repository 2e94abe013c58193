"""The words that `runner` and `leaderboard` share: frozen dataclasses, standard library only.

Three words for three things, never mixed:

* *outcome*: how an attempt ended (finished, out of turns, endpoint failed ...).
* *verdict*: what the check said of what the attempt left behind.
* *status*: where a row is in the queue.

Times are seconds as float, sizes are bytes as int, moments are UTC epoch seconds as float.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol


class ActionFormat(StrEnum):
    """Format in which a model hands over the code it wants to run."""

    FENCED = "fenced"  # a fenced ```python block in the reply
    MARKERS = "markers"  # <|execute_start|> ... <|execute_end|>
    TOOLS = "tools"  # an OpenAI tool call to `execute_python`


class Status(StrEnum):
    """Place of a run or an attempt in the queue; checking, paused and refused are runs' alone."""

    CHECKING = "checking"  # its preflight is awaited, and nothing is queued yet
    QUEUED = "queued"
    RUNNING = "running"
    PAUSED = "paused"  # by its owner: nothing of it is played until it is resumed
    DONE = "done"
    CANCELLED = "cancelled"
    REFUSED = "refused"  # its preflight found that it cannot succeed


class JudgingState(StrEnum):
    """Place of a judge's work on a run in the queue."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"  # by a maintainer, or at its ceiling
    FAILED = "failed"  # the judge's endpoint failed too often


class Outcome(StrEnum):
    """End of an attempt. A void outcome is ours or the endpoint's doing: never a fail."""

    FINISHED = "finished"  # the model gave a final answer
    OUT_OF_TURNS = "out_of_turns"
    OUT_OF_TIME = "out_of_time"  # of cells and our own work, the model's doing
    CONTEXT_FULL = "context_full"  # the endpoint says that the conversation is too long
    CANCELLED = "cancelled"
    ENDPOINT_FAILED = "endpoint_failed"
    KERNEL_LOST = "kernel_lost"  # through our fault, not through the model's code
    CHECK_CRASHED = "check_crashed"
    WORKER_LOST = "worker_lost"

    @property
    def is_void(self) -> bool:
        """True if the attempt says nothing about the model and can be tried again."""
        return self in _VOID


_VOID = frozenset(
    {
        Outcome.CANCELLED,
        Outcome.ENDPOINT_FAILED,
        Outcome.KERNEL_LOST,
        Outcome.CHECK_CRASHED,
        Outcome.WORKER_LOST,
    }
)


class Fault(StrEnum):
    """Party at fault for a problem."""

    SUBMITTER = "submitter"
    MODEL = "model"
    US = "us"


@dataclass(frozen=True)
class Problem:
    """A problem, in words fit for a page, a log and a terminal alike."""

    fault: Fault
    code: str  # a stable word for machines: "endpoint_unauthorised"
    what: str  # one sentence: what happened
    next_step: str  # one sentence: what to do about it

    @property
    def sentence(self) -> str:
        return f"{self.what} {self.next_step}".strip()


class ProblemError(Exception):
    """An error that knows whose fault it is, what happened and what to do next."""

    is_gone = False  # True if what was there before went away

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.sentence)
        self.problem = problem


def refusal(code: str, what: str, next_step: str) -> ProblemError:
    """The error of a submitter who asks for what cannot be."""
    return ProblemError(Problem(Fault.SUBMITTER, code, what, next_step))


REPLY_TIMEOUTS = 4  # as many waits for a reply up to its limit as one attempt may take
LONGEST_REPLY_S = 7200.0  # that any limit allows


@dataclass(frozen=True)
class Limits:
    """Limits of one attempt. A suite sets them; a run records them."""

    max_turns: int = 10
    cell_timeout_s: float = 60.0
    attempt_timeout_s: float = 900.0  # cells and our own work; no waiting for replies
    reply_timeout_s: float = 900.0  # one model reply, retries included
    check_timeout_s: float = 60.0
    memory_bytes: int = 2 << 30
    processes: int = 96
    file_size_bytes: int = 256 << 20
    work_bytes: int = 256 << 20  # everything under the working folder
    work_files: int = 20_000
    stream_chars: int = 64 * 1024  # kept of each of stdout and stderr of a cell
    observation_chars: int = 16_000  # sent to the model per step

    @property
    def replies_timeout_s(self) -> float:
        """Limit of waiting for all replies of an attempt together."""
        return REPLY_TIMEOUTS * self.reply_timeout_s


@dataclass(frozen=True)
class EndpointSpec:
    """An OpenAI-compatible endpoint and how it is called."""

    base_url: str
    model: str
    api_key: str = field(default="", repr=False)
    action_format: ActionFormat = ActionFormat.FENCED
    stream: bool = True
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None  # per reply
    extra_body: Mapping[str, object] = field(default_factory=dict)
    extra_headers: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class TaskSpec:
    """One task of a suite as an agent may see it: never its check, never its solutions."""

    suite: str
    suite_version: str
    key: str  # "quarterly-sales": unique in its suite, stable, used in addresses
    title: str
    category: str  # a key of the suite's category list
    query: str  # may hold «name» placeholders filled from the instance's parameters
    inputs: tuple[str, ...]  # file names under ./data
    outputs: tuple[str, ...]  # file names expected under ./output
    language: str = "en"
    strength: str = "content"  # of the check: content | partial | existence
    file_types: tuple[str, ...] = ()


@dataclass(frozen=True)
class Usage:
    """Tokens of one reply or their sum. `None` where the endpoint did not say: unknown is not 0."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None

    def __add__(self, other: Usage) -> Usage:
        def add(a: int | None, b: int | None) -> int | None:
            return b if a is None else a if b is None else a + b

        return Usage(
            add(self.prompt_tokens, other.prompt_tokens),
            add(self.completion_tokens, other.completion_tokens),
            add(self.cached_tokens, other.cached_tokens),
            add(self.reasoning_tokens, other.reasoning_tokens),
        )


class OutputKind(StrEnum):
    """Kinds of a cell's output."""

    STDOUT = "stdout"
    STDERR = "stderr"
    RESULT = "result"  # the value of a cell's last expression
    DISPLAY = "display"
    ERROR = "error"  # an exception; `text` is the traceback with its ANSI colours
    NOTICE = "notice"  # from us: output cut, cell interrupted, kernel restarted


@dataclass(frozen=True)
class Output:
    """One thing a cell printed, showed or wrote to its reply."""

    kind: OutputKind
    text: str = ""
    data: Mapping[str, str] = field(default_factory=dict)  # MIME bundle, as Jupyter sends it
    error_name: str = ""
    error_value: str = ""
    cut_chars: int = 0  # how many characters are missing from `text`


class CellStatus(StrEnum):
    """End of one cell."""

    OK = "ok"
    ERROR = "error"  # the code raised
    TIMEOUT = "timeout"  # interrupted at its deadline; the kernel lives on
    KILLED = "killed"  # did not stop, or flooded us, or the kernel died: the kernel is gone


# The notice to the model of a kernel that is gone, by the reason; failure tags read it.
KILLED_NOTICES = {
    "timeout": "The cell did not stop when it was interrupted and was killed.",
    "flood": "The cell sent more output than can be taken and was killed.",
    "memory": "The kernel was killed because it used more memory than it may.",
    "died": "The kernel died while the cell was running.",
    "unreadable": "The kernel sent something that could not be read and was killed.",
}


@dataclass(frozen=True)
class ReplyProgress:
    """Progress of the reply under way."""

    chars: int = 0  # of a stream, that have come
    failures: int = 0  # of its request, which was sent again after each
    failed: str = ""  # predicate of "the request": how often it failed, and how the last time


class LimitReason(StrEnum):
    """Reason why a run sends fewer requests at once than its submitter allows."""

    REFUSED = "refused"  # as too many
    TAKES_ONE = "takes_one"  # replies break off when the endpoint is asked twice at once


# Notes of a step whose reply holds a tool call that the server ought to have read.
CALL_IN_TEXT = "call found in text"
CALL_IN_REASONING = "call found in reasoning"
CALL_UNREAD = "call in text cannot be read"
CODE_UNCALLED = "code in the answer was not run"  # for no tool was called
CALL_NOTES = (CALL_IN_TEXT, CALL_IN_REASONING, CALL_UNREAD)
CALL_ADVICE = (
    "Have the server read tool calls: {servers}llama.cpp with --jinja, llama_cpp.server "
    "with --chat_format chatml-function-calling; in Ollama, take a model whose template has tools. "
    "Where calls end up in the reasoning, also have it read that: --reasoning-parser with the "
    "model's parser (vLLM, SGLang), --reasoning-format auto (llama.cpp). "
    "Or choose the action format fenced."
)


def call_advice(vllm: str = "PARSER", sglang: str = "PARSER") -> str:
    """What makes servers read tool calls themselves, with the parsers of vLLM and SGLang; ""
    where one has none."""
    rows = (
        (vllm, f"vLLM with --enable-auto-tool-choice --tool-call-parser {vllm}, "),
        (sglang, f"SGLang with --tool-call-parser {sglang}, "),
    )
    return CALL_ADVICE.format(servers="".join(words for parser, words in rows if parser))


@dataclass(frozen=True)
class CellResult:
    """Result of running one cell."""

    status: CellStatus
    outputs: tuple[Output, ...] = ()
    duration_s: float = 0.0
    reason: str = ""  # why it was killed: a key of KILLED_NOTICES


class ChangeKind(StrEnum):
    """Kinds of change to a file."""

    CREATED = "created"
    CHANGED = "changed"
    DELETED = "deleted"


@dataclass(frozen=True)
class FileChange:
    """Change that one step made to one file of the working folder."""

    path: str  # relative to the working folder: "output/a.csv"
    kind: ChangeKind
    size_bytes: int = 0
    size_before_bytes: int = 0
    sha256: str = ""  # of the content now; empty when deleted or too large to read
    content: bytes | None = field(default=None, repr=False)  # kept up to a cap


class StepStatus(StrEnum):
    """Summary of a step: the glyph in the ribbon."""

    OK = "ok"
    ERROR = "error"
    TIMEOUT = "timeout"
    KILLED = "killed"
    ANSWER = "answer"  # a reply without code: the final answer
    MALFORMED = "malformed"  # code was meant but could not be read (unclosed fence, bad tool call)


@dataclass(frozen=True)
class Step:
    """One model reply and what came of it."""

    index: int  # from 1
    status: StepStatus
    reply: str  # the raw text of the model
    thought: str = ""
    code: str | None = None
    outputs: tuple[Output, ...] = ()
    observation: str = ""  # the message to the model
    changes: tuple[FileChange, ...] = ()
    notes: tuple[str, ...] = ()  # "2 more code blocks were not run", "reply cut by length"
    usage: Usage = Usage()
    finish_reason: str = ""
    model_s: float = 0.0
    cell_s: float = 0.0
    started_at: float = 0.0
    messages: tuple[Mapping[str, object], ...] = ()  # the messages this step added, as sent


@dataclass(frozen=True)
class Opening:
    """Start of an attempt: the messages before the first reply and the instance's facts."""

    messages: tuple[Mapping[str, object], ...]
    query: str
    seed: int
    parameters: Mapping[str, object] = field(default_factory=dict)
    inputs: tuple[StoredFile, ...] = ()


@dataclass(frozen=True)
class StoredFile:
    """A regular file taken out of a finished working folder, or an input."""

    path: str  # relative: "a.csv"; never absolute, never leaving its folder
    size_bytes: int
    sha256: str
    location: Path  # where the bytes lie now, ours to move


@dataclass(frozen=True)
class RefusedFile:
    """A file that the harvest would not take, with the reason."""

    path: str  # escaped for display
    reason: str


@dataclass(frozen=True)
class Harvest:
    """Files that a finished attempt left in its output folder."""

    files: tuple[StoredFile, ...] = ()
    refused: tuple[RefusedFile, ...] = ()


@dataclass(frozen=True)
class Assertion:
    """One thing a check looked at."""

    name: str  # "rows", "total by quarter"
    passed: bool
    expected: str
    actual: str
    message: str = ""  # a sentence, given when it failed
    file: str = ""  # the output it looked at, "" for the final answer


@dataclass(frozen=True)
class Verdict:
    """Verdict of the check. `sentence` explains it without the table."""

    passed: bool
    assertions: tuple[Assertion, ...]
    sentence: str
    check_version: str = ""  # digest of the task's file and the assertion library
    duration_s: float = 0.0


# Begins the code of a problem that is over once the host has a tool, such as host_lacks_ffmpeg.
HOST_LACKS = "host_lacks_"

# In an environment: the names by which the endpoint says that models replied, each once.
REPLIED = "models that replied"
BETWEEN_MODELS = " · "
MOST_MODELS = 5
AS_RECORDED = "observations as recorded"  # of steps that were played again: "5 of 7"


@dataclass(frozen=True)
class AttemptResult:
    """Everything that is known of an attempt when it is over."""

    outcome: Outcome
    verdict: Verdict | None  # None exactly when the outcome is void
    answer: str | None  # the final answer; None when the model never gave one
    turns: int
    usage: Usage
    model_s: float
    cell_s: float
    wall_s: float
    harvest: Harvest = Harvest()
    problem: Problem | None = None  # why it is void, or what cut it short
    environment: Mapping[str, str] = field(default_factory=dict)


class Listener(Protocol):
    """Hears of an attempt's progress as it happens, and can ask it to stop.

    A listener's methods must return soon. `step` raising `Fenced` ends the attempt at once.
    """

    async def opened(self, opening: Opening) -> None: ...

    async def step(self, step: Step) -> None: ...

    def should_stop(self) -> bool: ...


class SandboxUnavailable(Exception):
    """This host cannot give a sandbox. The message says what is missing and how to get it."""


class KernelLost(Exception):
    """The kernel could not be started or reached, through no fault of the model's code: void."""


class Fenced(Exception):
    """Somebody else holds this attempt now: stop, write nothing more."""


@dataclass(frozen=True)
class Ceiling:
    """Prices at which a run's ceiling is counted, in its own units per token."""

    prompt: float = 1.0
    completion: float = 1.0

    def price(self, prompt_tokens: int, completion_tokens: int) -> int:
        """Units for so many tokens, rounded up."""
        return math.ceil(prompt_tokens * self.prompt + completion_tokens * self.completion)


@dataclass(frozen=True)
class RecordedPlay:
    """Steps to be played again in place of an episode with a model, or files that it left."""

    steps: tuple[Step, ...]
    answer: str | None
    messages: tuple[Mapping[str, object], ...] = ()  # before the first reply
    typed: frozenset[int] = frozenset()  # indexes of steps that a person wrote: nothing to compare
    goes_on: bool = False  # after the last step the model is asked, and gives the answer
    bring_files: Callable[[Path], tuple[RefusedFile, ...]] | None = None
    """Writes the files into a folder, blocking, and says which cannot be had. No step is played
    then. Raises ProblemError when none of them can, and OSError when the disk is full."""


@dataclass(frozen=True)
class TypedReply:
    """A reply that a person typed: a cell, or the final answer."""

    text: str
    is_answer: bool


@dataclass(frozen=True)
class Job:
    """One attempt that a worker has claimed."""

    attempt_id: int
    token: str  # the fencing token: every write must present it
    suite: str
    task_key: str
    seed: int
    number: int  # 1..k
    endpoint: EndpointSpec
    limits: Limits
    run_id: int = 0
    try_number: int = 1  # earlier tries ended void or were lost
    suite_digest: str = ""  # of the version the run was started on; "" is not compared
    ceiling: Ceiling | None = None  # None: replies are not reserved for
    recording: RecordedPlay | None = None  # None: a model is asked
    by_hand: bool = False  # a person is asked instead
    lanes: int = 1  # attempts of the run in flight at the very most
    pace: str = ""  # jobs with the same one share what is found out of their endpoint

    @property
    def claim(self) -> tuple[int, str]:
        """Tells this try of the attempt from every other one."""
        return self.attempt_id, self.token
