"""Shows results of the command line in a browser: a temporary site that ends with its reader."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
HOST = "127.0.0.1"


def main(argv: Sequence[str] | None = None) -> int:
    """Serve the results. What it prints first is the address, or a refusal."""
    options = parser().parse_args(argv)
    end_with_signals()
    set_up(options.scratch)
    from runner.contract import ProblemError

    try:
        return serve(options)
    except ProblemError as error:
        print(f"error: {error.problem.sentence}", file=sys.stderr)
        return 2


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="python -m pybench_site.local.viewer")
    made.add_argument("place", type=Path)
    made.add_argument("--scratch", type=Path, required=True, help="a folder of its own")
    made.add_argument("--port", type=int, default=0)
    return made


def end_with_signals() -> None:
    """End at once: the folder of this process is removed by who made it."""

    def leave(*_: object) -> None:
        os._exit(0)

    for sign in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(sign, leave)


def set_up(scratch: Path) -> None:
    """Django on a database of our own in `scratch`, whatever site the environment speaks of."""
    for name in [n for n in os.environ if n.startswith("PYBENCH_") or n == "DATABASE_URL"]:
        if name != "PYBENCH_SUITES":
            del os.environ[name]
    os.environ["PYBENCH_VAR"] = str(scratch)
    os.environ["DJANGO_SETTINGS_MODULE"] = "pybench_site.viewer_settings"
    import django

    django.setup()
    make_tables()


def make_tables() -> None:
    """Make them from the models, without forty migrations, and the index of the texts."""
    from django.core.management import call_command
    from django.db import connection

    call_command("migrate", run_syncdb=True, verbosity=0)
    with connection.cursor() as cursor:
        for statement in import_module("leaderboard.migrations.0005_text_index").SQLITE:
            cursor.execute(statement)


def read_runs(place: Path) -> list[Any]:
    from leaderboard.viewing.results import read_results
    from leaderboard.viewing.rows import write_run

    return [write_run(viewed) for viewed in read_results(place)]


def conclude(runs: Sequence[Any]) -> None:
    from leaderboard.viewing.rows import conclude_run

    for run in runs:
        conclude_run(run)


def serve(options: argparse.Namespace) -> int:
    """Serve the results until a signal comes. Tags and ranks follow after the first page."""
    from django.conf import settings
    from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
    from django.core.wsgi import get_wsgi_application

    runs = read_runs(options.place)
    server = ThreadedWSGIServer((HOST, options.port), quiet(WSGIRequestHandler))
    port = server.server_port
    settings.VIEWER_HOSTS = [f"{HOST}:{port}", f"localhost:{port}"]
    server.set_app(get_wsgi_application())
    print(f"http://{HOST}:{port}/", flush=True)
    conclude_after_first_page(runs)
    server.serve_forever()
    return 0


def conclude_after_first_page(runs: Sequence[Any]) -> None:
    """Tag and rank in a thread that takes nothing from the first page."""
    from django.core.signals import request_finished

    def begin(**_: Any) -> None:
        if request_finished.disconnect(dispatch_uid="conclude"):
            threading.Thread(target=conclude, args=(runs,), daemon=True).start()

    request_finished.connect(begin, weak=False, dispatch_uid="conclude")


def quiet(handler: type[Any]) -> type[Any]:
    """The handler without a line per request, and without connections that wait for ever."""
    words: Mapping[str, Any] = {"log_message": lambda self, *_: None, "timeout": 60}
    return type("QuietHandler", (handler,), dict(words))


if __name__ == "__main__":
    sys.exit(main())
