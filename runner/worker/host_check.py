"""Quick host checks before a worker starts: all that can be found without opening a sandbox.

`python -m runner.worker.host_check` says what is missing and how to get it; 1 when no sandbox can
be had.
"""

from __future__ import annotations

import sys

from runner.sandbox.host_findings import CHECKS, Finding, look_at_service, render


def look_round() -> list[Finding]:
    """List what is wrong, vital or not.

    Not whether the sandbox service listens: it may still be starting, and is waited for.
    """
    checks = (check for check in CHECKS if check is not look_at_service)
    return [finding for finding in (check() for check in checks) if not finding.is_fine]


def is_unfit(findings: list[Finding]) -> bool:
    return any(finding.is_vital for finding in findings)


def main() -> int:
    findings = look_round()
    if findings:
        print(render(findings))
    return 1 if is_unfit(findings) else 0


if __name__ == "__main__":
    sys.exit(main())
