"""The board's first sentence: who leads, how sure that is, and which tasks split the best."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from django.db.models import Count, Q
from django.urls import reverse
from django.utils.http import urlencode

from leaderboard.board.rows import Board, BoardRow, SplitTask, possibly_best
from leaderboard.models import Attempt, Suite
from leaderboard.rendering.numbers import say_interval, show_passed, show_percent
from leaderboard.rendering.text import strip_invisible
from leaderboard.scoring.ranking import RATE_DECIMALS
from runner.run_figures import LEAST_TASKS

MAX_SPLIT_RUNS = 30  # of those that may be the best, looked at for tasks that split them
MAX_SPLIT_TASKS = 2
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
REFERENCE = "reference"  # entry of a scripted model that solves every task
WORKERS = (REFERENCE, "clumsy")  # scripted models that work; the others are floors


@dataclass(frozen=True)
class Phrase:
    """A part of a sentence, and where it leads."""

    text: str
    url: str = ""


Sentence = list[Phrase]


def find_split_tasks(rows: Sequence[BoardRow]) -> tuple[SplitTask, ...]:
    """The tasks that those that may be the best pass and fail most evenly, each counted once
    however many attempts it has. One query at most.

    `rows` are in the order of their ranks.
    """
    tied = possibly_best(rows)[:MAX_SPLIT_RUNS]
    if len(tied) < 2:
        return ()
    row_of = {pk: row for row in tied for pk in row.rated_runs}
    counts = (
        Attempt.objects.filter(run__in=[*row_of], passed__isnull=False)
        .values_list("task__position", "task__key", "task__title", "task__english", "run_id")
        .annotate(attempts=Count("pk"), solved=Count("pk", Q(passed=True)))
        .order_by("task__position")
    )
    passed: dict[tuple[int, SplitTask], float] = defaultdict(float)
    for position, key, title, english, run_id, attempts, solved in counts:
        share = solved / attempts / len(row_of[run_id].rated_runs)
        passed[position, SplitTask(key, english or title)] += share / len(tied)
    split = [
        (round(abs(share - 0.5), RATE_DECIMALS), position, task)
        for (position, task), share in passed.items()
        if 0 < round(share, RATE_DECIMALS) < 1
    ]
    return tuple(task for *_, task in sorted(split, key=lambda one: one[:2])[:MAX_SPLIT_TASKS])


def say_finding(board: Board, suite: Suite) -> Sentence:
    """The sentence on a board's ranked models; [] where none is ranked."""
    placed = board.by_rank
    if not placed:
        return []
    lead, best = placed[0], board.possibly_best
    if lead.is_small:
        return say_counts(placed)
    if len(placed) == 1:
        return [
            link_row(lead),
            Phrase(
                f" is the only ranked model: it passes {show_percent(lead.rate)} % of {count(lead)}"
                f"{say_interval(lead.low, lead.high)}."
            ),
        ]
    pair = Phrase("Compare the first two", compare_url(placed[:2]))
    if len(best) == 1:
        said = f" is the best of {spell(len(placed))} models beyond chance (95 %): it passes "
        rates = f"{show_percent(lead.rate)} % of {count(lead)}, the next one "
        return [
            link_row(lead),
            Phrase(f"{said}{rates}{show_percent(placed[1].rate)} %. "),
            pair,
            Phrase("."),
        ]
    start = say_lead(placed)
    return [
        *start,
        Phrase(say_chance(placed, best)),
        *say_split(board.split, suite),
        pair,
        Phrase("."),
    ]


def say_part(board: Board, part: str) -> Sentence:
    """The same of the tasks that a board is read by; [] where no ranked model has played them."""
    known = [
        (row.part.rate, row) for row in board.by_rank if row.part and row.part.rate is not None
    ]
    if not known:
        return []
    most = max(rate for rate, _ in known)
    best = [row for rate, row in known if rate == most]
    cell = best[0].part
    assert cell is not None
    share = cell.count_words if cell.is_small else f"{show_percent(most)} % of {cell.tasks}"
    passes = f"{share} task{'' if cell.tasks == 1 else 's'}"
    of_all = f", the most of {spell(len(known))} models" if len(known) > 1 else ""
    start = [link_row(best[0]), Phrase(f" passes {passes}{of_all}")]
    if len(best) > 1:
        models = f"{spell(len(best))} of {spell(len(known))} models"
        start = [Phrase(f"{models} each pass {passes}")]
    may_be = sum(bool(row.part_standing and row.part_standing.may_be_best) for _, row in known)
    chance = f": {spell(may_be)} of them may be the best (95 %)" if may_be > 1 else ""
    return [Phrase(f"{part}: "), *start, Phrase(f"{chance}.")]


def say_counts(placed: Sequence[BoardRow]) -> Sentence:
    """Of a suite of few tasks who passes most, and that this is all there is to say."""
    lead = placed[0]
    passes = f" passes {lead.count_words} task{'' if lead.tasks == 1 else 's'}"
    if len(placed) == 1:
        return [link_row(lead), Phrase(f" is the only model: it{passes}.")]
    best = [*takewhile(lambda row: row.rank == lead.rank, placed)]
    too_few = f". Fewer than {LEAST_TASKS} tasks are too few to tell models apart. "
    pair = [Phrase("Compare two of them", compare_url(placed[:2])), Phrase(".")]
    if len(best) > 1:
        start = f"{spell(len(best))} of {spell(len(placed))} models each pass".capitalize()
        return [Phrase(f"{start}{passes.removeprefix(' passes')}{too_few}"), *pair]
    most = f"{passes}, the most of {spell(len(placed))} models"
    return [link_row(lead), Phrase(f"{most}{too_few}"), *pair]


def say_lead(placed: Sequence[BoardRow]) -> Sentence:
    best = [*takewhile(lambda row: row.rank == placed[0].rank, placed)]
    rate = f"{show_percent(placed[0].rate)} %"
    of_tasks = f"of {count(placed[0])}"
    if len(best) == 1:
        return [link_row(best[0]), Phrase(f" leads with {rate} {of_tasks}. ")]
    if len(best) == 2:
        both = [link_row(best[0]), Phrase(" and "), link_row(best[1])]
        return [*both, Phrase(f" lead with {rate} {of_tasks} each. ")]
    return [Phrase(f"{spell(len(best)).capitalize()} models lead with {rate} {of_tasks} each. ")]


def say_chance(placed: Sequence[BoardRow], best: Sequence[BoardRow]) -> str:
    """Words on the gap that is beyond chance, and on how many models may be the best."""
    if len(best) == len(placed):
        of_these = "either" if len(placed) == 2 else f"any of these {spell(len(placed))}"
        return f"These tasks cannot settle it: {of_these} may be the best (95 %). "
    how_many = f"{spell(len(best))} of {spell(len(placed))} models may be the best (95 %). "
    needed = [row.standing.lead_needed for row in placed[1:] if row.standing]
    known = [lead for lead in needed if lead is not None]
    if not known:
        return how_many.capitalize()
    least, most = (f"{100 * lead:.0f}" for lead in (min(known), max(known)))
    gap = f"about {most}" if least == most else f"{least} to {most}"
    return f"A gap below {gap} points could be chance: {how_many}"


def say_split(split: Sequence[SplitTask], suite: Suite) -> Sentence:
    if not split:
        return []
    links = [Phrase(strip_invisible(task.title), task_url(suite, task.key)) for task in split]
    joined = [part for link in links for part in (Phrase(" and "), link)][1:]
    return [Phrase("They disagree most on "), *joined, Phrase(". ")]


def task_url(suite: Suite, key: str) -> str:
    return f"{reverse('task', args=[suite.name, key])}?{urlencode({'version': suite.version})}"


def compare_url(rows: Sequence[BoardRow]) -> str:
    return f"{reverse('compare')}?runs={','.join(str(row.run.pk) for row in rows)}"


def link_row(row: BoardRow) -> Phrase:
    name = strip_invisible(row.run.entry.name) or "?"
    return Phrase(name, row.run.get_absolute_url())


def count(row: BoardRow) -> str:
    return "1 task" if row.tasks == 1 else f"{row.tasks} tasks"


def spell(number: int) -> str:
    return NUMBERS[number] if number < len(NUMBERS) else f"{number:,}"


def say_baselines(board: Board) -> str:
    """The scripted baselines in a line, as in "9 do-nothing agents, best 0.0 · reference 100.0"."""
    floors = [row for row in board.scripted if row.run.entry.model_name not in WORKERS]
    workers = [row for row in board.scripted if row.run.entry.model_name in WORKERS]
    parts = []
    if floors:
        rates = [(row.rate or 0.0, row.tasks) for row in floors if row.is_rated]
        best = f", best {show_passed(*max(rates))}" if rates else ", no rate yet"
        parts.append(f"{len(floors)} do-nothing agent{'' if len(floors) == 1 else 's'}{best}")
    for row in sorted(workers, key=lambda row: WORKERS.index(row.run.entry.model_name)):
        rate = show_passed(row.rate, row.tasks) if row.is_rated else str(row.run.status)
        parts.append(f"{strip_invisible(row.run.entry.name)} {rate}")
    if board.cancelled:
        parts.append(f"{board.cancelled} cancelled before the end, not listed")
    return " · ".join(parts)
