"""Whether this host is fit for a worker: those of the doctor's findings that start no sandbox.

`python -m runner.fitness` says what is missing and how to get it; 1 when no sandbox can be had.
"""

from __future__ import annotations

import os
import sys

from runner.sandbox import doctor
from runner.sandbox.doctor import Finding

SLOW = (doctor.try_a_session, doctor.look_at_kind)  # they start one


def look_round() -> list[Finding]:
    """What is not as it should be, vital or not; nothing where no sandbox is wanted.

    Not whether the sandbox service listens: it may still be starting, and is waited for.
    """
    if os.environ.get("PYBENCH_SANDBOX") == "none":  # the factory says whether that may be
        return []
    left_out = (*SLOW, doctor.look_at_service)
    checks = (check for check in doctor.CHECKS if check not in left_out)
    return [finding for finding in (check() for check in checks) if not finding.is_fine]


def is_unfit(findings: list[Finding]) -> bool:
    return any(finding.is_vital for finding in findings)


def main() -> int:
    findings = look_round()
    if findings:
        print(doctor.render(findings))
    return 1 if is_unfit(findings) else 0


if __name__ == "__main__":
    sys.exit(main())
