"""Shows results of the command line in a browser: a temporary site that ends with its reader."""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
HOST = "127.0.0.1"
DATABASE = "site.sqlite3"
KEPT_TEMPLATES = 2  # empty databases of other versions


def main(argv: Sequence[str] | None = None) -> int:
    """Serve or write the results. What it prints first is the address, or a refusal."""
    options = parser().parse_args(argv)
    end_with_signals()
    set_up(options.scratch)
    from runner.contract import ProblemError

    try:
        return serve(options) if options.to is None else write(options)
    except ProblemError as error:
        print(f"error: {error.problem.sentence}", file=sys.stderr)
        return 2


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="python -m pybench_site.local.viewer")
    made.add_argument("place", type=Path)
    made.add_argument("--scratch", type=Path, required=True, help="a folder of its own")
    made.add_argument("--port", type=int, default=0)
    made.add_argument("--to", type=Path)
    return made


def end_with_signals(before: Callable[[], None] = lambda: None) -> None:
    """End at once: the folder of this process is removed by who made it."""

    def leave(*_: object) -> None:
        before()
        os._exit(0)

    for sign in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(sign, leave)


def set_up(scratch: Path) -> None:
    """Django on a database of our own in `scratch`, whatever site the environment speaks of."""
    inherited = os.environ.get("PYBENCH_VAR")
    for name in [n for n in os.environ if n.startswith("PYBENCH_") or n == "DATABASE_URL"]:
        if name != "PYBENCH_SUITES":
            del os.environ[name]
    os.environ["PYBENCH_VAR"] = str(scratch)
    os.environ["DJANGO_SETTINGS_MODULE"] = "pybench_site.viewer_settings"
    templates = Path(inherited or ROOT / "var") / "viewer"
    template = templates / f"empty-{schema_digest()}.sqlite3"
    is_known = template.is_file()
    if is_known:
        shutil.copyfile(template, scratch / DATABASE)
    import django

    django.setup()
    if not is_known:
        migrate(scratch, template)


def schema_digest() -> str:
    """Digest of all that decides about an empty database's tables."""
    digest = hashlib.sha256((ROOT / "requirements.txt").read_bytes())
    for path in sorted((ROOT / "leaderboard" / "migrations").glob("*.py")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def migrate(scratch: Path, template: Path) -> None:
    """Make the tables, and keep the empty database for the next viewer if that can be."""
    from django.core.management import call_command
    from django.db import connection

    print("· making an empty database, once for each version …", file=sys.stderr, flush=True)
    call_command("migrate", verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    with contextlib.suppress(OSError):
        template.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=template.parent, delete=False) as draft:
            draft.write((scratch / DATABASE).read_bytes())
        Path(draft.name).replace(template)
        old = sorted(template.parent.glob("empty-*.sqlite3"), key=lambda p: p.stat().st_mtime)
        for path in old[:-KEPT_TEMPLATES]:
            path.unlink()


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

    from pybench_site.local.viewer_player import ViewerPlayer

    runs = read_runs(options.place)
    player = ViewerPlayer(options.scratch)
    player.listen()
    end_with_signals(player.stop)
    settings.VIEWER_PLAYS = True
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


def write(options: argparse.Namespace) -> int:
    """Write the results as static files."""
    from django.conf import settings

    settings.VIEWER_HOSTS = [HOST]
    from leaderboard.viewing.static_copy import write_copy

    runs = read_runs(options.place)
    conclude(runs)
    print(write_copy(options.to), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
