"""`evaluate`, and what no command names: an endpoint played on a suite without a database."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shlex
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tqdm import tqdm

from runner.cli.evaluation import Evaluation, EvaluationStopped, evaluate
from runner.cli.exit_codes import DONE, GONE, INCOMPLETE, INTERRUPTED
from runner.cli.offered_servers import offer_servers
from runner.cli.results_folder import ResultsFolder, Row, open_results, write_json
from runner.cli.submit import read_headers
from runner.cli.summary import Titled, as_json, summarise, table
from runner.contract import (
    REPLY_TIMEOUTS,
    ActionFormat,
    AttemptResult,
    EndpointSpec,
    Limits,
)
from runner.endpoint.errors import check_spec
from runner.pybench_jsonl import OURS
from runner.run_figures import Figures
from runner.sandbox.factory import open_sandbox
from runner.submission_fields import add_options
from runner.suite import reader
from runner.suite.reader import Suite, load_suite, problem

TOO_SLOW = ("endpoint_timeout", "endpoint_slow")
CODES = (
    "Exit codes: 0 every attempt has a verdict, 1 some have none, 2 bad input, 3 the endpoint or "
    "the site went away, 130 interrupted."
)
NO_VERDICT = "no attempt has a verdict"
MOST_REASONS = 5  # of void attempts, that are named
EXAMPLE = "Example: .venv/bin/pybench --suite starter --base-url http://localhost:8000/v1 --model m"


def offer_models(_: Sequence[str]) -> int:
    """List the models of this machine's servers, and evaluate the one that is chosen."""
    return offer_servers(evaluate_endpoint)


def evaluate_endpoint(words: Sequence[str]) -> int:
    """Evaluate an endpoint on a suite; what it prints is the summary table."""
    options = parser().parse_args(words)
    evaluation = evaluation_of(options)
    stopped: EvaluationStopped | None = None
    with open_results(options.out, evaluation.manifest()) as folder:
        try:
            play_all(evaluation, folder)
        except EvaluationStopped as error:
            stopped = error
        finally:
            figures = keep_results(evaluation, folder, options.json)
    print(heading(evaluation))
    print(table(figures))
    if evaluation.own_limits:
        print(f"Not comparable, limits of its own: {', '.join(evaluation.own_limits)}.")
    if stopped:
        return tell_stopped(stopped, words)
    return conclude(figures[-1][1], options.out, reasons_of_void(folder, evaluation))


def tell_stopped(error: EvaluationStopped, words: Sequence[str]) -> int:
    """Say why the evaluation stopped, and which command goes on."""
    print(f"error: {error.problem.sentence}", file=sys.stderr)
    if error.problem.code in TOO_SLOW:
        print("With --reply-timeout it waits longer for a reply.", file=sys.stderr)
    when = "Once the endpoint is back" if error.is_gone else "To play what has none"
    again = shlex.join([".venv/bin/pybench", *words])
    print(f"Attempts with a verdict are kept. {when}: {again}", file=sys.stderr)
    return GONE if error.is_gone else INCOMPLETE


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pybench",
        description="Evaluate an OpenAI-compatible endpoint on a suite, without a database.",
        epilog=f"{EXAMPLE}. Run the same command again to continue where it stopped. "
        f"{CODES} Without options it looks for model servers on this machine. Other commands, "
        "each with --help: submit, follow, import, view, verify.",
    )
    add = parser.add_argument
    add("--suite", default="starter", help="name of a folder in suites/, or a full path")
    add("--base-url", required=True, help="such as http://localhost:8000/v1")
    add("--model", required=True, help="the model's name at the endpoint")
    add("--api-key-env", metavar="VAR", help="environment variable with the API key")
    add("--format", choices=[f.value for f in ActionFormat], default="fenced",
        help="how the model hands over code (default: fenced)")  # fmt: skip
    add("--no-stream", action="store_true", help="ask for whole replies, not for streams")
    add_options(parser)
    add("--extra-body", type=json_object, default={}, metavar="JSON",
        help="extra request fields, such as {\"seed\": 1}")  # fmt: skip
    add("--extra-headers", default="", metavar="FILE",
        help="@FILE with extra headers of each request, a “Name: value” on each line")  # fmt: skip
    add(
        "--tasks",
        type=comma_list,
        default=(),
        metavar="A,B",
        help="only these tasks: keys, separated by commas",
    )
    add("--seed", type=int, help="seed of the inputs (default: the suite's)")
    add("--limit-turns", type=positive, metavar="N", help="most replies per attempt")
    add("--attempt-timeout", type=positive, metavar="S",
        help="seconds of an attempt for cells and our own work (default: the suite's)")  # fmt: skip
    add("--reply-timeout", type=positive, metavar="S",
        help=f"seconds to wait for one reply, retries included; {REPLY_TIMEOUTS} times that for "
        "all of an attempt (default: the suite's). Other limits than the suite's make results "
        "incomparable, which the summary says")  # fmt: skip
    add("--out", type=Path, required=True, metavar="DIR", help="folder for the results")
    add("--instances", type=Path, default=instances(), metavar="DIR",
        help="folder where generated inputs are kept (default: var/instances)")  # fmt: skip
    add("--json", type=Path, metavar="PATH", help="write the figures there too")
    return parser


def instances() -> Path:
    """Folder in which the site keeps generated inputs too."""
    return Path(os.environ.get("PYBENCH_VAR") or reader.ROOT.parent / "var") / "instances"


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def comma_list(text: str) -> tuple[str, ...]:
    words = tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))
    if not words:
        raise argparse.ArgumentTypeError("is empty; leave it out for all")
    return words


def json_object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError("must be a JSON object") from error
    if not isinstance(value, dict):
        raise argparse.ArgumentTypeError("must be a JSON object")
    return value


def evaluation_of(options: argparse.Namespace) -> Evaluation:
    """Read the evaluation from the options. Raises ProblemError for what cannot be."""
    suite = load_suite(options.suite)
    endpoint = EndpointSpec(
        base_url=options.base_url,
        model=options.model,
        api_key=key_from(options.api_key_env),
        action_format=ActionFormat(options.format),
        stream=not options.no_stream,
        temperature=options.temperature,
        top_p=options.top_p,
        max_tokens=options.max_tokens,
        extra_body=options.extra_body,
        extra_headers=read_headers(options.extra_headers),
    )
    check_spec(endpoint)
    return Evaluation(
        suite=suite,
        tasks=tasks_of(suite, options.tasks),
        attempts=options.attempts,
        seed=suite.seed if options.seed is None else options.seed,
        limits=limits_of(suite, options),
        endpoint=endpoint,
        concurrency=options.concurrency,
        cache=options.instances,
    )


def limits_of(suite: Suite, options: argparse.Namespace) -> Limits:
    limits = suite.limits
    if options.limit_turns:
        limits = replace(limits, max_turns=options.limit_turns)
    if options.attempt_timeout:
        limits = replace(limits, attempt_timeout_s=float(options.attempt_timeout))
    if options.reply_timeout:
        limits = replace(limits, reply_timeout_s=float(options.reply_timeout))
    return limits


def tasks_of(suite: Suite, asked: Sequence[str]) -> tuple[str, ...]:
    """The tasks asked for, all when none is, in the suite's order.

    Raises ProblemError for one that cannot be played here.
    """
    named = [suite.task(key) for key in asked]
    if missing := [task for task in named if task.unavailable]:
        each = "; ".join(f"{task.spec.key}: {task.unavailable}" for task in missing)
        raise problem(
            "task_unavailable", f"Tasks that cannot be played here. {each}", "Leave them out."
        )
    wanted = {task.spec.key for task in named}
    return tuple(t.spec.key for t in suite.tasks if not wanted or t.spec.key in wanted)


def key_from(variable: str | None) -> str:
    if not variable:
        return ""
    if variable not in os.environ:
        raise problem(
            "no_key",
            f"The environment variable {variable} is not set.",
            "Set it to the API key, or leave --api-key-env out.",
        )
    return os.environ[variable]


def play_all(evaluation: Evaluation, folder: ResultsFolder) -> None:
    """Play what is open, with a progress bar on stderr."""
    keys = evaluation.keys
    tally = Counter(word_for(folder.rows[key]) for key in keys if folder.is_decided(key))
    bar = tqdm(
        total=len(keys),
        initial=tally.total(),
        unit="attempt",
        file=sys.stderr,
        dynamic_ncols=True,
    )
    with bar:
        bar.set_postfix_str(words_for(tally))

        def progress(result: AttemptResult) -> None:
            verdict = result.verdict
            tally["void" if verdict is None else "passed" if verdict.passed else "failed"] += 1
            bar.set_postfix_str(words_for(tally), refresh=False)
            bar.update()

        asyncio.run(evaluate(evaluation, folder, progress, open_sandbox))


def word_for(row: Row) -> str:
    return "passed" if row[OURS]["passed"] else "failed"


def words_for(tally: Counter[str]) -> str:
    return f"{tally['passed']} passed, {tally['failed']} failed, {tally['void']} did not count"


def keep_results(
    evaluation: Evaluation, folder: ResultsFolder, json_path: Path | None
) -> list[Titled]:
    """Write results.json, and the same to `json_path`; the figures."""
    asked = [folder.rows[key] for key in evaluation.keys if key in folder.rows]
    figures = summarise(
        evaluation.suite, evaluation.tasks, evaluation.attempts, asked, evaluation.limits.max_turns
    )
    manifest = evaluation.manifest()
    if asked and all(row[OURS]["passed"] is None for row in asked):
        manifest["comparable"] = False
        manifest["why_not_comparable"] = [*manifest["why_not_comparable"], NO_VERDICT]
    results = {
        **manifest,
        "tasks": list(evaluation.tasks),
        "attempts_per_task": evaluation.attempts,
        "figures": as_json(figures),
        "attempts": [short(row) for row in asked],
    }
    folder.write_results(results)
    if json_path:
        json_path.parent.mkdir(parents=True, exist_ok=True)
        write_json(json_path, results)
    return figures


def short(row: Row) -> dict[str, Any]:
    """One attempt in results.json; the rest of it is in trajectories.jsonl."""
    ours = row[OURS]
    facts = {name: ours[name] for name in ("task", "category", "attempt", "outcome", "passed")}
    sentence = (
        ours["verdict"]["sentence"] if ours["verdict"] else (ours["problem"] or {}).get("what")
    )
    return {**facts, "sentence": sentence, "turns": ours["turns"], "wall_s": ours["wall_s"]}


def heading(evaluation: Evaluation) -> str:
    suite, spec = evaluation.suite, evaluation.endpoint
    return (
        f"{spec.model} ({spec.action_format}) on {suite.name} {suite.version}, "
        f"seed {evaluation.seed}, {len(evaluation.tasks)} tasks × {evaluation.attempts}"
    )


def reasons_of_void(folder: ResultsFolder, evaluation: Evaluation) -> list[str]:
    """Sentences on what made attempts void, the most frequent first, each with their number."""
    rows = [folder.rows[key][OURS] for key in evaluation.keys if key in folder.rows]
    void = [row["problem"] for row in rows if row["passed"] is None and row["problem"]]
    counted = Counter(f"{problem['what']} {problem['next_step']}" for problem in void)
    return [f"{count} × {reason}" for reason, count in counted.most_common(MOST_REASONS)]


def conclude(overall: Figures, out: Path, reasons: Sequence[str]) -> int:
    """Say what is missing, why, and how to get it."""
    print(f"Trajectories, files and figures are in {out}.")
    again = "the same command again plays those and repeats nothing that has a verdict"
    if overall.open:
        print(f"Interrupted: {overall.open} attempts were not played; {again}.", file=sys.stderr)
        return INTERRUPTED
    if overall.void:
        print("Attempts that did not count:", *reasons, sep="\n  ", file=sys.stderr)
        print(f"Incomplete: {overall.void} attempts did not count; {again}.", file=sys.stderr)
        return INCOMPLETE
    return DONE
