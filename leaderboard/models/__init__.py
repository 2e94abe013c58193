"""Rows and the rules about one row."""

from leaderboard.models.access import ApiToken, Import
from leaderboard.models.bodies import MAX_BODY_BYTES, choices, pack, unpack
from leaderboard.models.drafts import Draft
from leaderboard.models.entries import Endpoint, Entry
from leaderboard.models.files import Artifact, Blob, StepFile
from leaderboard.models.paces import WorkerPace
from leaderboard.models.results import AttemptText, FailureTag, RunSummary, Standing, Verdict
from leaderboard.models.runs import Attempt, Run, StatusChange, Step
from leaderboard.models.suites import Suite, SuiteProof, Task

__all__ = [
    "MAX_BODY_BYTES",
    "ApiToken",
    "Artifact",
    "Attempt",
    "AttemptText",
    "Blob",
    "Draft",
    "Endpoint",
    "Entry",
    "FailureTag",
    "Import",
    "Run",
    "RunSummary",
    "Standing",
    "StatusChange",
    "Step",
    "StepFile",
    "Suite",
    "SuiteProof",
    "Task",
    "Verdict",
    "WorkerPace",
    "choices",
    "pack",
    "unpack",
]
