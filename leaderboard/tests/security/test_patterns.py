"""Every pattern that meets a stranger's text is tried with its worst texts."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from leaderboard.tests.rendering.worst_texts import READERS as SHOWN
from leaderboard.tests.security.worst_texts import READERS as OF_SITE
from runner.tests.reading.worst_texts import READERS as OF_RUNNER

ROOT = Path(__file__).resolve().parents[3]
READERS = (*OF_RUNNER, *OF_SITE, *SHOWN)

SEARCHES = {
    "compile",
    "search",
    "match",
    "fullmatch",
    "findall",
    "finditer",
    "split",
    "sub",
    "subn",
}
# What runs in the sandbox, beside it on the host's own files, or in tests.
ELSEWHERE = (
    "runner/checks/",
    "runner/previews/inside/",
    "runner/sandbox/",
    "/tests/",
    "/migrations/",
)

OWN_MARKUP = "the site's own markup, in which a stranger's words are escaped"
# Patterns that need no part in the table, each with the reason.
TRUSTED = {
    "runner.previews.texts.HIGH": "one class",
    "runner.previews.texts.HAN": "a search for one character of a class",
    "runner.previews.texts.GLUED": "two characters between two",
    "runner.previews.texts.LETTER": "one character between two",
    "leaderboard.templatetags.pybench.whole_options": "one bounded class after a fixed beginning",
    "leaderboard.operations.response_headers.CONVERSATIONS": "a match of one class after another",
    "runner.proof.grounds.DRAWS": "the checks of an operator's suite",
    "runner.proof.answers.NUMBER": "the answers of an operator's suite",
    "runner.proof.answers.SENTENCE_END": "the answers of an operator's suite",
    "runner.proof.answers.asked": "the queries of an operator's suite",
    "runner.proof.inside.documents.changed_texts": "the solutions of an operator's suite",
    "runner.scripted.floor_agents.keyword_salad": "the queries of an operator's suite",
    "runner.endpoint.address_policy.LABEL": "a fullmatch of one label with at most 63 characters",
    "runner.endpoint.address_policy.NUMBER": "a fullmatch of one class",
    "runner.endpoint.address_policy.check_characters": "a search for one character of a class",
    "runner.cli.site_client.CONTROLS": "a substitution of one class",
    "runner.verify.bundle.NAME": "a fullmatch of one class after a fixed word",
    "runner.verify.claims.UNPRINTABLE": "a search for one character of a class",
    "runner.verify.keys.DAY": "a fullmatch of ten characters",
    "runner.verify.fetching.RUN_PATH": "a fullmatch of an address that the user typed",
    "leaderboard.api.idempotency.KEY": "a fullmatch of one class",
    "leaderboard.uploads.reading.OF_BUNDLE": "a fullmatch: a class, then its last digits",
    "runner.endpoint.extras.extra_body.NAME": "a fullmatch of at most 64 characters",
    "runner.endpoint.extras.extra_headers.NAME": "a fullmatch of at most 64 characters",
    "runner.endpoint.extras.extra_headers.VALUE": "two classes side by side: linear",
    "runner.scripted.floor_agents.keyword_stuffer": "the queries of an operator's suite",
    "runner.endpoint.completion.INDEX": "a fullmatch of at most four characters",
    "runner.endpoint.completion.PLAIN_NAME": "a match in at most 200 characters",
    "runner.endpoint.client.ROLE_WORDS": "bounded gaps, over the bounded words of a refusal",
    "runner.endpoint.client.STOP_WORDS": "bounded gaps, over the bounded words of a refusal",
    "runner.cli.offered_servers.words_for": "one class, over a name of at most 200 characters",
    "runner.endpoint.errors.HOST": "a fullmatch of one class",
    "runner.endpoint.errors.SENDABLE": "a fullmatch of one class",
    "runner.judge.prompts.HEADING": "a fullmatch of the site's own headings",
    "runner.scripted.judges.FILE_SIZE": "the site's own trials of judges",
    "runner.scripted.judges.NUMBERED": "the site's own trials of judges",
    "runner.scripted.judges.OPENING": "the site's own trials of judges",
    "runner.scripted.replies.query_pattern": "the site's own replies",
    "runner.scripted.server.TOKEN": "the site's own replies",
    "runner.suite.placeholders.PRINTED": "what a task's own solution prints",
    "runner.suite.placeholders.PLACEHOLDER": "the queries of an operator's suite",
    "runner.suite.task_file.SAFE_NAME": "a fullmatch of at most 120 characters",
    "runner.task_code.harness_client.OPENS_MODELS": "the tasks of an operator's suite",
    "runner.judgement.RUNS_PROGRAMS": "the tasks of an operator's suite",
    "runner.judgement.RAISED": "a match of one class with at most 200 characters",
    "leaderboard.api.suites.REFERENCE": "a fullmatch of at most 101 characters",
    "leaderboard.api.schema.add_summaries": "the docstrings of the site's own views",
    "leaderboard.rendering.outputs.BASE64": "a fullmatch of one class",
    "leaderboard.rendering.text.LATER_CAPITAL": "headings of the sign-in pages",
    "leaderboard.sharing.bibtex.IN_ADDRESS": "a match of one character of a class",
    "leaderboard.sharing.bibtex.SPECIAL": "a match of one character of a class",
    "leaderboard.suites.task_facets.SKILL": "a fullmatch of at most 40 characters",
    "leaderboard.submissions.submission.SENDABLE_KEY": "a fullmatch of one class",
    "leaderboard.templatetags.pybench.breakable": "a name of at most 200 characters",
    "leaderboard.upkeep.backup_folder.DUMPS": "a fullmatch of one file's name",
    "leaderboard.upkeep.backup_folder.PLAIN_NAME": "a fullmatch of one class after another",
    "leaderboard.upkeep.garbage.SHA256": "a fullmatch of 64 characters",
    "leaderboard.views.side_by_side.NAMED": "a fullmatch of at most 14 characters",
    "leaderboard.views.self_contained.DIGEST": OWN_MARKUP,
    "leaderboard.views.self_contained.FONT_FACE": "the site's own style sheets",
    "leaderboard.views.self_contained.FRAME": OWN_MARKUP,
    "leaderboard.views.self_contained.LINK": OWN_MARKUP,
    "leaderboard.views.self_contained.OTHER_WINDOW": OWN_MARKUP,
    "leaderboard.views.self_contained.SOURCE": OWN_MARKUP,
    "leaderboard.views.files.RANGE": "a fullmatch of at most 37 characters",
    "leaderboard.trajectories.readers.extra_fields.DIGEST": "a fullmatch of 64 characters",
}


def test_every_pattern_is_in_the_table_or_needs_no_part_in_it() -> None:
    tried = {pattern for reader in READERS for pattern in reader.patterns}
    found = set(patterns())
    assert sorted(found - tried - TRUSTED.keys()) == [], "add a Reader, or a reason to TRUSTED"
    assert sorted((tried | TRUSTED.keys()) - found) == []
    assert tried.isdisjoint(TRUSTED)


def patterns() -> Iterator[str]:
    """Every use of a regular expression, by the name or the function that holds it."""
    for folder in ("runner", "leaderboard"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if not any(part in name for part in ELSEWHERE):
                module = name.removesuffix(".py").replace("/", ".")
                yield from (f"{module}.{holder}" for holder in holders(ast.parse(path.read_text())))


def holders(tree: ast.Module) -> Iterator[str]:
    """The constants and functions of a module that call `re`."""
    for node in tree.body:
        for inner in node.body if isinstance(node, ast.ClassDef) else [node]:
            if any(is_search(call) for call in ast.walk(inner)):
                yield name_of(inner)


def is_search(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in SEARCHES
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
    )


def name_of(node: ast.stmt) -> str:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return node.name
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    return target.id if isinstance(target, ast.Name) else f"line {node.lineno}"
