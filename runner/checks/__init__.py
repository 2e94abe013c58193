"""The assertion library that task files use; it also runs inside the sandbox, without the project.

`Case` and the measures that need only the standard library may be imported at the top of a task
file; a module that needs a heavy library (pandas, cv2 ...) is best imported where it is used, so
that a check that fails for want of a file costs no import.
"""

from runner.checks.case import Case, Stop

__all__ = ["Case", "Stop"]
