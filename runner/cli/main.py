"""The command line: each command is imported once it is named, for some import much."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from runner.cli.exit_codes import BAD_INPUT, GONE, INTERRUPTED
from runner.contract import ProblemError

COMMANDS = {
    "": "runner.cli.evaluate_endpoint.offer_models",
    "evaluate": "runner.cli.evaluate_endpoint.evaluate_endpoint",
    "submit": "runner.cli.submit.submit_endpoint",
    "follow": "runner.cli.follow.follow_run",
    "import": "runner.cli.import_files.import_files",
    "view": "runner.cli.view.view_results",
    "verify": "runner.verify.command.verify_evidence",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command, evaluate when none is named, or offer this machine's servers."""
    words = list(sys.argv[1:] if argv is None else argv)
    if not words:
        words = [""]
    elif words[0] not in COMMANDS:
        words.insert(0, "evaluate")
    module, _, name = COMMANDS[words[0]].rpartition(".")
    try:
        command: Callable[[Sequence[str]], int] = getattr(import_module(module), name)
        return command(words[1:])
    except ProblemError as error:
        print(f"error: {error.problem.sentence}", file=sys.stderr)
        return GONE if error.is_gone else BAD_INPUT
    except KeyboardInterrupt:  # the second one: attempts in flight are lost
        return INTERRUPTED
