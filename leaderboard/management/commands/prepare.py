"""Brings a one-machine site up to date before it starts; what is up to date is not redone."""

from __future__ import annotations

import hashlib
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from leaderboard.judge.judges import register_scripted


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--scripted-port", type=int, default=settings.SCRIPTED_PORT)

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("migrate", verbosity=0)
        collect_static()
        call_command("install_suite", "starter", stdout=self.stdout)
        call_command("load_prices", stdout=self.stdout)
        # No worker plays yet: baselines that an earlier start left call today's port.
        call_command("start_baselines", "starter", port=options["scripted_port"], move=True)
        register_scripted(options["scripted_port"])


def collect_static() -> None:
    """Compress and fingerprint the static files when one of them has changed."""
    stamp = Path(settings.STATIC_ROOT) / "collected"
    wanted = static_digest()
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    stamp.write_text(wanted)


def static_digest() -> str:
    """SHA-256 over our static files and the lock that fixes everybody else's."""
    total = hashlib.sha256((settings.BASE_DIR / "requirements.txt").read_bytes())
    for folder in map(Path, settings.STATICFILES_DIRS):
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            total.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes())
    return total.hexdigest()
