"""The site's web application with a counter around what watchers of a run share."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from leaderboard.views.runs import Fragment

COUNTER = "/-/renderings"  # where the count is read

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class Count:
    """Counts how often something was done, by any thread."""

    def __init__(self) -> None:
        self.value = 0
        self._lock = threading.Lock()

    def up(self) -> None:
        with self._lock:
            self.value += 1


class Unshared:
    """In the place of a shelf: keeps nothing."""

    def get(self, key: object, make: Callable[[], Fragment], is_current: object) -> Fragment:
        return make()


def make_application(is_shared: bool = True) -> Application:
    """As `make run` serves it, with the count at an address of its own.

    Without sharing, each watcher's answer is made anew.
    """
    site: Application = import_module(
        "pybench_site.wsgi"
    ).application  # sets Django up: before any view
    from leaderboard.views import runs

    count, render = Count(), runs.render_shared

    def render_counted(run_id: int, tag: str, asked: Mapping[str, str]) -> Fragment:
        count.up()
        return render(run_id, tag, asked)

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if environ["PATH_INFO"] != COUNTER:
            return site(environ, start_response)
        body = str(count.value).encode()
        headers = [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))]
        start_response("200 OK", headers)
        return [body]

    vars(runs)["render_shared"] = render_counted
    if not is_shared:
        vars(runs)["SHARED"] = Unshared()
    return answer


def make_unshared() -> Application:
    return make_application(is_shared=False)
