"""Rows and the rules about one row."""

from leaderboard.models.drafts import Draft
from leaderboard.models.entries import NO_ENDPOINT, NOT_MODELS, Endpoint, Entry
from leaderboard.models.files import Artifact, Blob, Import, RecordedAttempt, StepFile
from leaderboard.models.judging.judges import HumanLabel, Judge, JudgeVerdict, Judging
from leaderboard.models.ledger import (
    BoardSnapshot,
    LedgerAct,
    LedgerEntry,
    LedgerPayload,
    ModelPrice,
    PublicChange,
    RunSeal,
    RunVerification,
)
from leaderboard.models.notices import Notice, NoticeWishes
from leaderboard.models.packed_json import (
    FRAME_HEAD_BYTES,
    MAX_BODY_BYTES,
    choices,
    clean,
    pack,
    unpack,
    unpack_bytes,
    unpacked_size,
)
from leaderboard.models.results import (
    AttemptText,
    FailureTag,
    RunReview,
    RunSummary,
    Standing,
    StepNote,
    Verdict,
)
from leaderboard.models.runs import (
    Attempt,
    Run,
    StatusChange,
    Step,
    TaskLock,
    TypedText,
    Worker,
    WorkerPace,
)
from leaderboard.models.suites import Suite, SuiteProof, Task
from leaderboard.models.tokens import AccountUse, ApiToken, KeptAnswer, RunLink
from leaderboard.models.trust.disputes import Dispute, Ruling
from leaderboard.models.trust.errata import Erratum, Rejudgement

__all__ = [
    "FRAME_HEAD_BYTES",
    "MAX_BODY_BYTES",
    "NOT_MODELS",
    "NO_ENDPOINT",
    "AccountUse",
    "ApiToken",
    "Artifact",
    "Attempt",
    "AttemptText",
    "Blob",
    "BoardSnapshot",
    "Dispute",
    "Draft",
    "Endpoint",
    "Entry",
    "Erratum",
    "FailureTag",
    "HumanLabel",
    "Import",
    "Judge",
    "JudgeVerdict",
    "Judging",
    "KeptAnswer",
    "LedgerAct",
    "LedgerEntry",
    "LedgerPayload",
    "ModelPrice",
    "Notice",
    "NoticeWishes",
    "PublicChange",
    "RecordedAttempt",
    "Rejudgement",
    "Ruling",
    "Run",
    "RunLink",
    "RunReview",
    "RunSeal",
    "RunSummary",
    "RunVerification",
    "Standing",
    "StatusChange",
    "Step",
    "StepFile",
    "StepNote",
    "Suite",
    "SuiteProof",
    "Task",
    "TaskLock",
    "TypedText",
    "Verdict",
    "Worker",
    "WorkerPace",
    "choices",
    "clean",
    "pack",
    "unpack",
    "unpack_bytes",
    "unpacked_size",
]
