"""Says which layers of the sandbox are active on this host, what is missing, and how to get it."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

DOCTOR = ("-m", "runner.sandbox.doctor")


class Command(BaseCommand):
    help = __doc__

    def handle(self, *args: Any, **options: Any) -> None:
        """Exits with 1 when this host cannot run strangers' models."""
        command = [sys.executable, *DOCTOR]
        sys.exit(subprocess.run(command, cwd=settings.BASE_DIR, check=False).returncode)
