"""The GitHub Action's program: play an endpoint through a suite, and comment the result."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from leaderboard.scoring.inference import paired_p_value  # noqa: E402 - after the path is known

ARTIFACT = "pybench-results"
RESULTS = "results.json"
MAX_RESULTS_BYTES = 20 << 20
PAGES = 10  # of comments and artifacts that are looked through
REQUEST_S = 60.0
ALPHA = 0.05

Results = dict[str, Any]


@dataclass(frozen=True)
class GitHub:
    """The API of the repository in which the action runs."""

    http: httpx2.Client
    repository: str

    @classmethod
    def from_environment(cls, environ: Mapping[str, str]) -> GitHub:
        headers = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
        if token := environ.get("GITHUB_TOKEN", ""):
            headers["Authorization"] = f"Bearer {token}"
        url = environ.get("GITHUB_API_URL", "https://api.github.com")
        http = httpx2.Client(base_url=url, headers=headers, timeout=REQUEST_S)
        return cls(http, environ["GITHUB_REPOSITORY"])

    def ask(self, method: str, path: str, **more: Any) -> Any:
        answer = self.http.request(method, f"/repos/{self.repository}{path}", **more)
        answer.raise_for_status()
        return answer.json()

    def pages(self, path: str, key: str = "", **params: str) -> Iterator[dict[str, Any]]:
        for number in range(1, PAGES + 1):
            answer = self.ask("GET", path, params={**params, "per_page": 100, "page": number})
            rows = answer[key] if key else answer
            yield from rows
            if len(rows) < 100:
                return

    def find_baseline(self, branch: str, wanted: Results) -> Results | None:
        """The newest figures of the same evaluation that a run on `branch` kept."""
        for artifact in self.pages("/actions/artifacts", "artifacts", name=ARTIFACT):
            run = artifact.get("workflow_run") or {}
            # A fork can call its branch by the same name.
            is_ours = run.get("head_repository_id") == run.get("repository_id")
            if artifact["expired"] or not is_ours or run.get("head_branch") != branch:
                continue
            found = self.download(int(artifact["id"]))
            if found and is_comparable(found, wanted):
                return found
        return None

    def download(self, artifact_id: int) -> Results | None:
        # The address redirects to the store, whose host gets no token.
        path = f"/repos/{self.repository}/actions/artifacts/{artifact_id}/zip"
        answer = self.http.get(path)
        if answer.is_redirect:
            answer = httpx2.get(answer.headers["Location"], timeout=REQUEST_S)
        answer.raise_for_status()
        return read_archive(answer.content)

    def comment(self, issue: int, marker: str, body: str) -> None:
        """Write the comment, in the place of an earlier one of the same evaluation."""
        for old in self.pages(f"/issues/{issue}/comments"):
            if str(old.get("body", "")).startswith(marker):
                self.ask("PATCH", f"/issues/comments/{old['id']}", json={"body": body})
                return
        self.ask("POST", f"/issues/{issue}/comments", json={"body": body})


def read_archive(content: bytes) -> Results | None:
    """The figures in an artifact; None for anything else, or too much."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if archive.getinfo(RESULTS).file_size > MAX_RESULTS_BYTES:
                return None
            found = json.loads(archive.read(RESULTS))
    except (zipfile.BadZipFile, KeyError, ValueError):
        return None
    return found if isinstance(found, dict) and "attempts" in found else None


def is_comparable(one: Results, other: Results) -> bool:
    """True if both were played on the same tasks and inputs in the same way, by any model."""
    names = ("suite", "suite_version", "suite_digest", "seed", "attempts_per_task", "tasks")
    return all(one.get(name) == other.get(name) for name in names)


def rates_by_task(results: Results) -> dict[str, float]:
    """Share of passed attempts of each task whose attempts all have a verdict."""
    by_task: dict[str, list[bool | None]] = {}
    for attempt in results["attempts"]:
        by_task.setdefault(attempt["task"], []).append(attempt["passed"])
    count = results["attempts_per_task"]
    return {
        task: sum(map(bool, passed)) / count
        for task, passed in by_task.items()
        if len(passed) == count and None not in passed
    }


def say_comparison(results: Results, baseline: Results | None, branch: str) -> str:
    """The paired test against the branch's last run, in a sentence."""
    if baseline is None:
        return f"No earlier run of the same suite and seed on `{branch}` to compare with."
    now, before = rates_by_task(results), rates_by_task(baseline)
    shared = sorted(now.keys() & before.keys())
    if not shared:
        return f"The last run on `{branch}` shares no decided task with this one."
    p = paired_p_value([now[task] for task in shared], [before[task] for task in shared])
    better = [task for task in shared if now[task] > before[task]]
    worse = [task for task in shared if now[task] < before[task]]
    verdict = "a significant difference" if p < ALPHA else "this could easily be chance"
    words = (
        f"Against the last run on `{branch}` ({plain(baseline['model'])}): {len(better)} tasks "
        f"better, {len(worse)} worse of {len(shared)}, paired p = {p:.3g} ({verdict})."
    )
    for title, tasks in (("Better", better), ("Worse", worse)):
        words += f"\n{title}: {', '.join(map(plain, tasks[:20]))}." if tasks else ""
    return words


def write_comment(results: Results, baseline: Results | None, branch: str, code: int) -> str:
    """The comment as Markdown; names in it come from others."""
    overall = results["figures"][-1]
    lines = [
        marker_of(results),
        f"### PyBench: {plain(results['model'])} on {plain(results['suite'])} "
        f"{plain(results['suite_version'])}",
        f"**{overall['passed']} of {overall['attempts']} passed** ({overall['rate']:.1%}, "
        f"95 % interval {overall['low']:.1%} to {overall['high']:.1%}, "
        f"{overall['tasks']} tasks, seed {results['seed']}).",
    ]
    if overall["void"] or overall["open"]:
        lines.append(
            f"Incomplete: {overall['void']} attempts are void and {overall['open']} were not "
            "played, so the rate is a lower bound."
        )
    if code == 3:
        lines.append("The endpoint went away and did not come back.")
    lines.append(say_comparison(results, baseline, branch))
    rows = [
        f"| {plain(part['category'])} | {part['passed']}/{part['attempts']} "
        f"| {part['low']:.0%}–{part['high']:.0%} |"
        for part in results["figures"][:-1]
    ]
    lines.append("\n".join(["| category | passed | 95 % interval |", "|---|--:|--:|", *rows]))
    return "\n\n".join(lines)


def marker_of(results: Results) -> str:
    """First line of the comment, invisible: which evaluation it is of."""
    name = re.sub(r"[^A-Za-z0-9._-]", "-", f"{results['suite']}.{results['model']}")[:120]
    return f"<!-- pybench {name.replace('--', '-')} -->"


def plain(text: object) -> str:
    """Text of others as code, so that it is no markup, mention or link."""
    shown = "".join(char if char.isprintable() else " " for char in str(text))[:100]
    return f"`{shown.replace('`', 'ˋ').replace('|', '¦')}`"


def play(environ: Mapping[str, str], out: Path) -> int:
    """Evaluate the endpoint; the exit code of the command line."""

    def given(name: str, usual: str = "") -> str:
        return environ.get(f"PYBENCH_ACTION_{name}", "") or usual

    words = [
        sys.executable, "-m", "runner",
        f"--base-url={given('BASE_URL')}", f"--model={given('MODEL')}", f"--out={out}",
        f"--suite={given('SUITE', 'starter')}", f"--attempts={given('ATTEMPTS', '1')}",
        f"--concurrency={given('CONCURRENCY', '4')}", f"--format={given('FORMAT', 'fenced')}",
    ]  # fmt: skip
    words += [f"--tasks={tasks}"] if (tasks := given("TASKS")) else []
    words += ["--api-key-env=PYBENCH_ACTION_KEY"] if given("KEY") else []
    kept = {name: value for name, value in environ.items() if name != "GITHUB_TOKEN"}
    return subprocess.run(words, cwd=ROOT, env=kept, check=False).returncode


def pull_request_of(environ: Mapping[str, str]) -> int | None:
    """Number of the pull request that the event is about."""
    try:
        event = json.loads(Path(environ["GITHUB_EVENT_PATH"]).read_text("utf-8"))
    except (KeyError, OSError, ValueError):
        return None
    number = (event.get("pull_request") or {}).get("number")
    return number if isinstance(number, int) else None


def main_branch_of(environ: Mapping[str, str]) -> str:
    try:
        event = json.loads(Path(environ["GITHUB_EVENT_PATH"]).read_text("utf-8"))
        return str(event["repository"]["default_branch"])
    except (KeyError, OSError, ValueError, TypeError):
        return "main"


def append(path: str, text: str) -> None:
    if path:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(f"{text}\n")


def report(environ: Mapping[str, str], results: Results, code: int) -> None:
    """Comment the result where there is a pull request, and put it into the job's summary.

    An API that refuses costs the comparison or the comment, never the result.
    """
    branch, baseline = main_branch_of(environ), None
    github = GitHub.from_environment(environ)
    try:
        baseline = github.find_baseline(branch, results)
    except (httpx2.HTTPError, KeyError, TypeError) as error:
        print(f"::warning::Earlier runs could not be read ({type(error).__name__}).")
    body = write_comment(results, baseline, branch, code)
    append(environ.get("GITHUB_STEP_SUMMARY", ""), body)
    if issue := pull_request_of(environ):
        try:
            github.comment(issue, marker_of(results), body)
        except (httpx2.HTTPError, KeyError, TypeError) as error:
            print(f"::warning::The comment could not be written ({type(error).__name__}).")


def main(environ: Mapping[str, str] = os.environ) -> int:
    out = Path(environ["PYBENCH_ACTION_OUT"])
    code = play(environ, out)
    output = environ.get("GITHUB_OUTPUT", "")
    append(output, f"exit-code={code}")
    try:
        results: Results = json.loads((out / RESULTS).read_text("utf-8"))
    except (OSError, ValueError):
        return code  # nothing was played; its message is above
    append(output, f"rate={results['figures'][-1]['rate']}")
    report(environ, results, code)
    return code


if __name__ == "__main__":
    sys.exit(main())
