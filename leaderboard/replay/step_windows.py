"""Windows of an attempt's steps, each with what its cards need to know of the steps before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db.models import Count, Prefetch

from leaderboard.models import Attempt, Blob, Step, StepFile
from leaderboard.models.querysets import StepQuerySet
from runner.contract import ChangeKind, StepStatus

WINDOW_STEPS = 20
MAX_UNPACKED_BYTES = 4 << 20  # of the records of one window
MAX_FAILURES = 50_000  # of a try, marked on the minimap
MAX_FILES = 5_000  # of a try, looked at for who wrote what
FAILURES = frozenset(
    {StepStatus.ERROR, StepStatus.TIMEOUT, StepStatus.KILLED, StepStatus.MALFORMED}
)


@dataclass(frozen=True)
class StepWindow:
    """Up to WINDOW_STEPS consecutive steps of one try, with their files and blobs at hand."""

    steps: Sequence[Step]
    first: int  # index of the window's first step, from 1
    count: int  # steps of the try
    oversized: frozenset[int] = frozenset()  # indexes of steps whose record is not unpacked
    writers: dict[str, int] = field(default_factory=dict)  # path to the last step that wrote it
    versions: dict[str, Blob] = field(default_factory=dict)  # of files, as the window finds them
    failures: tuple[int, ...] = ()  # indexes in order, of the whole try, up to MAX_FAILURES
    failure_before: Step | None = None  # the last one before the window

    @property
    def last(self) -> int:
        return self.first + len(self.steps) - 1

    @property
    def is_whole(self) -> bool:
        """True if the try has no other steps."""
        return self.count <= len(self.steps)

    @property
    def previous(self) -> int | None:
        """Start of the window before."""
        return max(1, self.first - WINDOW_STEPS) if self.first > 1 else None

    @property
    def next(self) -> int | None:
        """Start of the window after."""
        return self.last + 1 if self.last < self.count else None

    @property
    def final(self) -> int:
        """Start of the last window."""
        return start_of(self.count)


def start_of(index: int) -> int:
    """Start of the window that has step `index`."""
    return (max(1, index) - 1) // WINDOW_STEPS * WINDOW_STEPS + 1


def address_of_step(attempt: Attempt, index: int) -> str:
    """Address of the window of a replay that has the step."""
    address, start = attempt.get_absolute_url(), start_of(index)
    window = f"{'&' if '?' in address else '?'}from={start}" if start > 1 else ""
    return f"{address}{window}#step-{index}"


def count_steps(attempt: Attempt) -> dict[int, int]:
    """Count the steps of each try, by its number."""
    rows = attempt.steps.order_by().values_list("try_number").annotate(steps=Count("pk"))
    return dict(rows)


def load_window(attempt: Attempt, try_number: int, first: int) -> StepWindow:
    """The window of a try that begins at step `first`."""
    of_try = attempt.steps.filter(try_number=try_number)
    files = Prefetch("files", StepFile.objects.select_related("blob"))
    rows = of_try.filter(index__gte=first).order_by("index").prefetch_related(files)
    steps, left_out = rows[:WINDOW_STEPS].load_within(MAX_UNPACKED_BYTES)
    oversized = frozenset(step.index for step in steps if step.pk in left_out)
    is_whole = first == 1 and len(steps) < WINDOW_STEPS
    count = len(steps) if is_whole else of_try.count()
    if count <= len(steps):
        return StepWindow(
            steps,
            first,
            count,
            oversized,
            writers={f.path: s.index for s in steps for f in s.files.all() if is_written(f.kind)},
            failures=tuple(step.index for step in steps if step.status in FAILURES),
        )
    failed = of_try.filter(status__in=FAILURES)
    return StepWindow(
        steps,
        first,
        count,
        oversized,
        writers=find_writers(attempt, try_number),
        versions=find_versions(attempt, try_number, first, steps),
        failures=tuple(failed.order_by("index").values_list("index", flat=True)[:MAX_FAILURES]),
        failure_before=find_failure_before(failed.filter(index__lt=first)),
    )


def find_failure_before(failed: StepQuerySet) -> Step | None:
    """The last of them, unless its record is too large to be looked into."""
    steps, left_out = failed.order_by("-index")[:1].load_within(MAX_UNPACKED_BYTES)
    return steps[0] if steps and not left_out else None


def is_written(kind: str) -> bool:
    return kind != ChangeKind.DELETED


def find_writers(attempt: Attempt, try_number: int) -> dict[str, int]:
    """The last step that created or changed each file, by path."""
    rows = (
        StepFile.objects.filter(step__attempt=attempt, step__try_number=try_number)
        .exclude(kind=ChangeKind.DELETED)
        .order_by("-step__index")
        .values_list("path", "step__index")[:MAX_FILES]
    )
    return dict(reversed(list(rows)))


def find_versions(
    attempt: Attempt, try_number: int, first: int, steps: Sequence[Step]
) -> dict[str, Blob]:
    """Find the latest versions, before the window, of the files that the window's steps change."""
    paths = {file.path for step in steps for file in step.files.all()}
    if first == 1 or not paths:
        return {}
    before = (
        StepFile.objects.filter(
            step__attempt=attempt,
            step__try_number=try_number,
            step__index__lt=first,
            path__in=paths,
        )
        .select_related("blob")
        .order_by("-step__index")[:MAX_FILES]
    )
    latest: dict[str, StepFile] = {}
    for file in before:
        latest.setdefault(file.path, file)
    return {path: file.blob for path, file in latest.items() if file.blob}
