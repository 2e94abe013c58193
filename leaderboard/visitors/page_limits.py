"""Limits on the share of a web process that one visitor's pages can take.

Pages are counted by the CPU time they take, per visitor's address, in each web process: an
allowance that a reader does not notice and that fills up again with time.
"""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from leaderboard.visitors.client_address import client_address

MAX_VISITORS = 20_000
FORMS_WAIT_S = 60.0
THIS_MACHINE = ("127.0.0.1", "::")

API = "/api/"  # has limits of its own

GetResponse = Callable[[HttpRequest], HttpResponseBase]


@dataclass
class Allowance:
    """CPU seconds that each visitor may take: `burst_s` at once, filled up within `refill_s`."""

    burst_s: float
    refill_s: float = 60.0
    clock: Callable[[], float] = time.monotonic
    spent: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def wait_s(self, visitor: str) -> float:
        """Seconds until the visitor can ask again; 0 for now."""
        with self.lock:
            over_s = self.spent_s(visitor) - self.burst_s
        return max(0.0, over_s * self.refill_s / self.burst_s)

    def charge(self, visitor: str, cpu_s: float) -> None:
        with self.lock:
            self.spent[visitor] = (self.spent_s(visitor) + cpu_s, self.clock())
            self.spent.move_to_end(visitor)
            while len(self.spent) > MAX_VISITORS:
                self.spent.popitem(last=False)

    def spent_s(self, visitor: str) -> float:
        """CPU seconds that the visitor took and that have not filled up again."""
        spent_s, at_s = self.spent.get(visitor, (0.0, self.clock()))
        return max(0.0, spent_s - (self.clock() - at_s) * self.burst_s / self.refill_s)


ALLOWANCE = Allowance(settings.PAGE_CPU_S)


def limit_pages(get_response: GetResponse) -> GetResponse:
    """Middleware: a visitor who took too much is asked to wait (429)."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        visitor = client_address(request.META)
        if visitor in THIS_MACHINE or request.path.startswith(API):
            return get_response(request)
        if wait_s := ALLOWANCE.wait_s(visitor):
            return too_many(request, wait_s)
        with charge_cpu(visitor):
            return get_response(request)

    return respond


@contextmanager
def charge_cpu(visitor: str, allowance: Allowance | None = None) -> Iterator[None]:
    """Charge the CPU time of the block to the visitor."""
    began_s = time.thread_time()
    try:
        yield
    finally:
        if visitor not in THIS_MACHINE:
            (allowance or ALLOWANCE).charge(visitor, time.thread_time() - began_s)


def in_words(seconds: int) -> str:
    """Duration in words, rounded up: "40 seconds", "3 minutes"."""
    unit, size = ("second", 1) if seconds <= 90 else ("minute", 60)
    if seconds > 90 * 60:
        unit, size = "hour", 3600
    count = math.ceil(seconds / size)
    return f"{count} {unit}{'' if count == 1 else 's'}"


def too_many_forms(request: HttpRequest) -> HttpResponse:
    """The same for sign-in and sign-up, which count forms by the minute."""
    return too_many(request, FORMS_WAIT_S, is_form=True)


def too_many(request: HttpRequest, wait_s: float, is_form: bool = False) -> HttpResponse:
    """A page that says how long to wait."""
    seconds = max(1, math.ceil(wait_s))
    context = {"wait": in_words(seconds), "is_form": is_form}
    response = render(request, "429.html", context, status=429)
    response["Retry-After"] = str(seconds)
    response["Cache-Control"] = "no-store"
    return response
