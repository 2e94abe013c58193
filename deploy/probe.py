"""Asks a process's probe, for container health checks: `probe.py URL` exits with 0 or 1."""

from __future__ import annotations

import sys
import urllib.error
import urllib.request

TIMEOUT_S = 5.0


def main(url: str) -> int:
    try:
        with urllib.request.urlopen(url, timeout=TIMEOUT_S) as answer:
            return 0 if answer.status == 200 else 1
    except (urllib.error.URLError, OSError) as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
