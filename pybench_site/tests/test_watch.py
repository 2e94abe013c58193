"""The watch over a worker's loops, without a worker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from unittest.mock import Mock

import pytest

from conftest import wait_until
from pybench_site.monitoring.watch import (
    LONGEST_TASK,
    LONGEST_TASKS,
    MOST_MISSED,
    Intake,
    Pulse,
    RunningTasks,
    Watched,
    find_dead,
    watch,
)


@dataclass
class Loop:
    """Does what it is handed while it turns."""

    turns: bool = True
    handed: list[Callable[[], None]] = field(default_factory=list)

    def hand_over(self, act: Callable[[], None]) -> None:
        self.handed.append(act)
        self.go_on()

    def go_on(self) -> None:
        while self.turns and self.handed:
            self.handed.pop()()


@dataclass
class Queue:
    waiting: int = 0
    taken: int = 0
    is_away: bool = False
    is_busy: bool = False

    def count(self) -> int:
        if self.is_away:
            raise ConnectionError("no broker")
        return self.waiting


def make_intake(loop: Loop, queue: Queue) -> Intake:
    pulse = Pulse("the consumer", loop.hand_over)
    return Intake(pulse, queue.count, lambda: queue.taken, lambda: queue.is_busy)


def ask(intake: Intake, times: int) -> str:
    return [find_dead([intake]) for _ in range(times)][-1]


def test_loop_that_turns_is_never_dead() -> None:
    pulse = Pulse("the driver", Loop().hand_over)
    assert not any(find_dead([pulse]) for _ in range(5 * MOST_MISSED))
    assert pulse.trouble() == ""


def test_loop_that_stands_still_is_told_then_dead() -> None:
    loop = Loop()
    pulse = Pulse("the driver", loop.hand_over)
    find_dead([pulse])
    loop.turns = False
    told = [find_dead([pulse]) for _ in range(MOST_MISSED)]
    assert not any(told)
    assert pulse.trouble() == f"the driver stands still since {5 * (MOST_MISSED - 1)} s"
    assert find_dead([pulse]) == f"the driver stands still since {5 * MOST_MISSED} s"


def test_loop_that_goes_on_in_time_is_forgiven() -> None:
    loop = Loop(turns=False)
    pulse = Pulse("the driver", loop.hand_over)
    for _ in range(MOST_MISSED):
        find_dead([pulse])
    loop.turns = True
    loop.go_on()
    assert find_dead([pulse]) == pulse.trouble() == ""


def test_messages_that_nobody_takes_are_a_dead_intake() -> None:
    queue = Queue(waiting=3)
    intake = make_intake(Loop(), queue)
    assert ask(intake, MOST_MISSED) == ""
    assert ask(intake, 1) == f"messages wait and none is taken since {5 * MOST_MISSED} s"


@pytest.mark.parametrize("change", ["nothing waits", "it takes some", "it is at a task"])
def test_messages_are_no_trouble_if(change: str) -> None:
    queue = Queue(waiting=0 if change == "nothing waits" else 3)
    queue.is_busy = change == "it is at a task"
    intake = make_intake(Loop(), queue)
    for _ in range(3 * MOST_MISSED):
        queue.taken += change == "it takes some"
        assert ask(intake, 1) == ""


def test_consumer_stands_still_without_blame_while_the_broker_is_away() -> None:
    loop, queue = Loop(turns=False), Queue(is_away=True)
    intake = make_intake(loop, queue)
    assert ask(intake, 3 * MOST_MISSED) == intake.trouble() == ""
    queue.is_away = False
    assert ask(intake, MOST_MISSED) == ""
    assert ask(intake, 1) == f"the consumer stands still since {5 * MOST_MISSED} s"


@pytest.mark.parametrize("name", ["runner.preflight", "runner.draw_pages"])
def test_task_that_hangs_is_dead_although_it_excuses_the_intake(name: str) -> None:
    """Both threads of a worker hang: messages wait, and what is under way excuses that."""
    queue = Queue(waiting=3, is_busy=True)
    tasks = RunningTasks(lambda: {"1": name, "2": name})
    watched: list[Watched] = [make_intake(Loop(), queue), tasks]
    asked = LONGEST_TASKS.get(name, LONGEST_TASK) + MOST_MISSED
    assert [find_dead(watched) for _ in range(asked - 1)] == [""] * (asked - 1)
    assert find_dead(watched) == f"the task {name} does not end since {5 * asked} s"


def test_tasks_that_follow_each_other_are_no_trouble() -> None:
    numbers = iter(range(10**6))
    tasks = RunningTasks(lambda: {str(next(numbers) // LONGEST_TASK): "runner.preflight"})
    assert not any(find_dead([tasks]) for _ in range(5 * LONGEST_TASK))
    assert tasks.trouble() == ""


def test_task_that_begins_as_we_look_is_looked_at_again() -> None:
    tasks = RunningTasks(lambda: {"1": "runner.sweep"})
    find_dead([tasks])
    tasks.under_way = Mock(side_effect=RuntimeError("Set changed size during iteration"))
    assert find_dead([tasks]) == ""
    assert tasks.ages == {"1": 1}


def test_watch_ends_the_process_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pybench_site.monitoring.watch.TICK_S", 0.01)
    ended: list[str] = []
    thread = watch([Pulse("the driver", Loop(turns=False).hand_over)], ended.append)
    wait_until(lambda: not thread.is_alive(), "the watch is over", 60)
    assert len(ended) == 1
    assert ended[0].startswith("the driver stands still")
