"""Every page is held against WCAG 2.2 AA, against HTML, and against the outline of a document."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product
from pathlib import Path
from typing import Any, Literal

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import get_resolver
from playwright.sync_api import Browser, BrowserContext, Page

from leaderboard.accounts.tokens import make_token
from leaderboard.by_hand.session import open_session
from leaderboard.disputes.rule import rule
from leaderboard.handoff.sweep import sweep_queue
from leaderboard.models import (
    BoardSnapshot,
    Dispute,
    Draft,
    Entry,
    Erratum,
    HumanLabel,
    Rejudgement,
    Run,
    RunReview,
    StepNote,
    Suite,
)
from leaderboard.submissions.run_actions import withdraw
from leaderboard.tests.support.addresses import all_patterns
from leaderboard.tests.support.judging import judged_as, make_judge, store_verdicts
from leaderboard.tests.support.page_tools import HTML_RULES, find_tool, require_node
from leaderboard.tests.support.rows import (
    LONG_NAME,
    add_step,
    finish_run,
    make_entry,
    make_private_run,
    make_run,
    make_step,
    make_varied_runs,
    printed,
    set_price,
    tell_failure,
)
from pybench_site.local.sampling import is_whole
from runner.contract import Status

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SIZES = ((1440, 900), (390, 844))
CRITERIA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
RUN_AXE = """async tags => {
    const folds = document.querySelectorAll("details:not([data-pick])");  // which lies over others
    for (const fold of folds) fold.open = true;
    const options = {runOnly: tags, resultTypes: ["violations"], iframes: false};
    const found = await axe.run(document, options);
    return found.violations.flatMap(rule => rule.nodes.map(node =>
        `${rule.id}: ${node.target.join(" ")}: ${node.failureSummary}`));
}"""
OUTLINE = """() => [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")]
    .filter(heading => heading.checkVisibility())
    .map(heading => [Number(heading.tagName[1]), heading.innerText.trim()])"""

# Files, and `shared/`, which shows the pages of a run.
NO_PAGES = (
    "admin/", "api/v1/", "account/", ".json", ".csv", ".svg", ".png", ".bib", ".yaml", ".atom",
    ".jsonl", ".txt", "<str:name>", "<slug:form>", "replay.html", "shared/",
    "original/", "bundle.zip",
)  # fmt: skip
ACTS = (
    "cancel/",
    "pause/",
    "link/",
    "unlink/",
    "retry/",
    "resume/",
    "publish/",
    "withdraw/",
    "answer/",
    "check/",
    "queue/",
    "discard/",
    "delete/",
    "execute/",
    "key>/notes/",
    "key>/type/",
    "rule/",
    "let/",
    "end/",
    "by-hand/",
    "stop/",
    "label/",
)
PARTS = (
    "progress/",
    "charts/list/",
    "submit/models/",
    "<int:draft_id>/models/",
)  # pieces of a page, which a script puts in
FACTS = {
    "base_url": "http://127.0.0.1:8001/v1",
    "model": "foo-70b",
    "name": "Foo 70B",
    "action_format": "fenced",
    "attempts_per_task": 1,
    "concurrency": 2,
    "visibility": "private",
}
CHECKS = [
    {"name": "reachable", "title": "Reachable", "state": "ok", "said": "It answers."},
    {
        "name": "key",
        "title": "Key",
        "state": "failed",
        "said": "The endpoint refused the API key (401).",
        "next_step": "Give a key that is valid for this endpoint.",
    },
]


@dataclass(frozen=True)
class Shown:
    """An address, and the pattern it is of by name."""

    name: str
    path: str
    signed_in: bool = False

    def __str__(self) -> str:
        return f"{self.path} signed in" if self.signed_in else self.path


def sign_in(owner: User) -> Client:
    client = Client()
    client.force_login(owner)
    return client


def contexts(browser: Browser, address: str, owner: User) -> Iterator[tuple[bool, BrowserContext]]:
    """A context for each look and visitor: signed in or not."""
    looks = list(product(THEMES, SIZES)) if is_whole() else zip(THEMES, SIZES, strict=True)
    cookie = sign_in(owner).cookies[settings.SESSION_COOKIE_NAME]
    for theme, (width, height) in looks:
        for is_owner in (False, True):
            context = browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme=theme,
                reduced_motion="reduce",
                bypass_csp=True,
            )
            if is_owner:
                context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": address}])
            yield is_owner, context
            context.close()


def open_page(page: Page, address: str) -> None:
    page.goto(address, wait_until="load")
    page.wait_for_function("document.fonts.status === 'loaded'")


def test_no_page_is_left_out() -> None:
    _, pages = fill_site()
    redirecting = {"first-tasks", "snapshot"}
    assert page_names() - {shown.name for shown in pages} == redirecting


@pytest.mark.peers
def test_axe_finds_nothing_on_any_page(browser: Browser, live_server: Any) -> None:
    owner, pages = fill_site()
    axe, found = find_tool("axe-core/axe.min.js").read_text("utf-8"), set()
    for is_owner, context in contexts(browser, live_server.url, owner):
        page = context.new_page()
        page.set_default_timeout(120_000)
        for shown in pages:
            if shown.signed_in == is_owner:
                open_page(page, live_server.url + shown.path)
                page.evaluate(axe)
                found |= {f"{shown}: {said}" for said in page.evaluate(RUN_AXE, CRITERIA)}
    assert found == set()


@pytest.mark.peers
def test_every_page_is_valid_html(tmp_path: Path) -> None:
    require_node(20, 19)
    owner, pages = fill_site()
    addresses = {}
    for number, shown in enumerate(pages):
        answer = (sign_in(owner) if shown.signed_in else Client()).get(shown.path)
        addresses[str(tmp_path / f"{number}.html")] = shown
        (tmp_path / f"{number}.html").write_bytes(answer.content)
    done = subprocess.run(
        ["node", str(find_tool("html-validate/bin/html-validate.mjs")), "--config",
         str(HTML_RULES), "--formatter", "json", *addresses],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    found = [
        f"{addresses[told['filePath']]}, line {said['line']}: {said['message']} ({said['ruleId']})"
        for told in json.loads(done.stdout)
        for said in told["messages"]
    ]
    assert found == []
    assert done.returncode == 0, done.stderr


def test_headings_are_in_order_on_every_page(browser: Browser, live_server: Any) -> None:
    owner, pages = fill_site()
    wrong = []
    for is_owner, context in contexts(browser, live_server.url, owner):
        page = context.new_page()
        for shown in pages:
            if shown.signed_in == is_owner:
                open_page(page, live_server.url + shown.path)
                levels = [level for level, _ in page.evaluate(OUTLINE)]
                skips = [b for a, b in pairwise(levels) if b > a + 1]
                if levels[:1] != [1] or levels.count(1) != 1 or skips:
                    wrong.append(f"{shown}: {levels}")
        if is_owner:
            break  # neither theme nor size changes an outline
    assert wrong == []


def test_steps_of_a_replay_are_headed_sections(page: Page, live_server: Any) -> None:
    _, pages = fill_site()
    told = next(shown for shown in pages if shown.name == "replay")
    open_page(page, live_server.url + told.path)
    heads = [text for level, text in page.evaluate(OUTLINE) if level == 2]
    assert heads[0] == "Task"
    step = page.get_by_role("article", name="Step 2, KeyError")
    assert step.get_by_role("heading", level=2).count() == 1
    assert step.get_attribute("id") == "step-2"


def test_a_second_link_skips_to_the_table(page: Page, live_server: Any) -> None:
    _, pages = fill_site()
    for name in ("board", "failures", "tasks"):
        shown = next(shown for shown in pages if shown.name == name)
        open_page(page, live_server.url + shown.path)
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to the table", name
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        focus = "document.querySelector('#table').contains(document.activeElement)"
        assert page.evaluate(focus), name


@transaction.atomic
def fill_site() -> tuple[User, list[Shown]]:
    """Rows of every kind; who owns the private ones, and the pages that show them all."""
    owner = User.objects.create_user("ada", "ada@example.org", "a long password", is_staff=True)
    EmailAddress.objects.create(user=owner, email=owner.email, verified=True, primary=True)
    varied = make_varied_runs(owner)
    suite = varied[0].suite
    told = finish_run(make_run(suite, make_entry(LONG_NAME, organisation="Foo")), 5)
    failed = tell_failure(told.attempts.select_related("task", "run").order_by("-pk")[0])
    tell_passed(told)
    void = finish_run(make_run(suite, make_entry("Bar")), 3, void=2)
    finish_run(make_run(suite, make_entry("reference", is_scripted=True)), 8)
    own = make_private_run(owner)
    pinned = own.attempts.order_by("pk")[0]
    StepNote.objects.create(
        attempt=pinned, try_number=1, index=2, author=owner, label="loop", text="Twice the same."
    )
    doubted = finish_run(make_run(suite, make_entry("Copied")), 8)
    Entry.objects.filter(pk=doubted.entry_id).update(owner=owner)
    RunReview.objects.create(
        run=doubted, reasons=["Its code is the published one."], answer="We trained on it."
    )
    withdraw(next(run for run in varied if run.is_public and not run.entry.is_scripted).pk)
    store_verdicts(
        make_judge(),
        told,
        judged_as(told, ["pass", "fail", "cannot tell", "judge error"]) | {failed: "pass"},
        criteria=[{"key": "answer_backed", "answer": "yes", "steps": [2], "why": "Seen."}],
        reason="By fixed rules.",
    )
    HumanLabel.objects.create(attempt=failed, author=owner, try_number=1, passed=False)
    set_price()
    make_token(owner, "laptop")
    draft = Draft.objects.create(
        owner=owner,
        facts={**FACTS, "suite": suite.pk},
        report={"checks": CHECKS, "took_s": 1.2, "is_usable": False},
    )
    sweep_queue()
    going = start_playing(suite)
    person = make_entry("Ada (by hand)")
    Entry.objects.filter(pk=person.pk).update(provenance=Entry.Provenance.HUMAN)
    finish_run(make_run(suite, person), solved=2)
    pages = [*public_pages(told, void, going), *own_pages(own, draft)]
    return owner, [*pages, Shown("run", doubted.get_absolute_url(), signed_in=True)]


def tell_passed(run: Run) -> None:
    attempt = run.attempts.select_related("task", "run").order_by("pk")[0]
    add_step(attempt, make_step(1, thought="I add them.", outputs=[printed("3\n")]))


def start_playing(suite: Suite) -> Run:
    """A run one of whose attempts is at its sixth step."""
    run = make_run(suite, make_entry("Baz"))
    Run.objects.filter(pk=run.pk).update(status=Status.RUNNING)
    attempt = run.attempts.select_related("task", "run").order_by("pk")[0]
    tell_failure(attempt)
    run.attempts.filter(pk=attempt.pk).update(
        status=Status.RUNNING, passed=None, outcome="", turns=4, finished_at=None
    )
    return run


def public_pages(told: Run, void: Run, going: Run) -> list[Shown]:
    suite, failed = told.suite.name, told.attempts.order_by("-pk")[0].task.key
    passed = told.attempts.order_by("pk")[0].task.key
    long = "?category=chart&entry=" + told.entry.slug
    some, more = f"runs={told.pk},{void.pk}", Run.objects.filter(is_public=True, suite=told.suite)
    many = ",".join(str(run.pk) for run in more.exclude(status=Status.RUNNING)[:4])
    return [
        Shown("board", "/"),
        Shown("board", "/?category=chart"),
        Shown("board", "/?suite=second"),
        Shown("run", told.get_absolute_url()),
        Shown("run", void.get_absolute_url()),
        Shown("run", going.get_absolute_url()),
        Shown("replay", f"/runs/{told.pk}/tasks/{failed}/"),
        Shown("replay", f"/runs/{told.pk}/tasks/{passed}/"),
        Shown("replay", f"/runs/{void.pk}/tasks/{failed}/"),
        Shown("replay", f"/runs/{going.pk}/tasks/{passed}/"),
        Shown("side-by-side", f"/tasks/{suite}/{passed}/side-by-side/"),
        Shown("side-by-side", f"/tasks/{suite}/{failed}/side-by-side/?a={told.pk}&a={void.pk}"),
        Shown("tasks", f"/tasks/{suite}/"),
        Shown("task", f"/tasks/{suite}/{failed}/"),
        Shown("task", f"/tasks/{suite}/news-digest/"),
        Shown("health", f"/suites/{suite}/health/"),
        Shown("published", "/published/"),
        Shown("judge", "/judge/"),
        Shown("failures", "/failures/"),
        Shown("failures", f"/failures/?by=sentence&state=not-passed&entry={told.entry.slug}"),
        Shown("failures", f"/failures/{long}"),
        Shown("failures", "/failures/?q=nothing+has+these+words"),
        Shown("entry", f"/models/{told.entry.slug}/"),
        Shown("charts", "/charts/"),
        Shown("changes", "/changes/"),
        Shown("snapshots", "/snapshots/"),
        Shown("ledger", "/ledger/"),
        Shown("evidence-keys", "/about/keys/"),
        Shown("reviews", "/reviews/"),
        Shown("disputes", "/disputes/"),
        Shown("disputes", "/disputes/?state=task+wrong"),
        Shown("dispute", doubt(told).get_absolute_url()),
        Shown("errata", "/errata/"),
        Shown("erratum", (corrected := note_erratum_of(told).get_absolute_url())),
        Shown("erratum-old-board", f"{corrected}before/"),
        Shown("compare", "/compare/"),
        Shown("compare", f"/compare/?{some}"),
        Shown("compare", f"/compare/?runs={many}"),
        Shown("method", "/about/method/"),
        Shown("api-docs", "/api/v1/docs/"),
        Shown("account_login", "/account/login/"),
        Shown("account_signup", "/account/signup/"),
        Shown("account_reset_password", "/account/password/reset/"),
        Shown("not found", "/absent/"),
    ]


def doubt(run: Run) -> Dispute:
    """A dispute with a ruling, about the attempt that failed."""
    attempt = run.attempts.order_by("-pk")[0]
    facts = {"words": "The query allows 5 rows.", "name": "ada", "assertion": 2}
    dispute = Dispute.objects.create(
        attempt=attempt, verdict=attempt.verdicts.get(), assertion_name="rows", **facts
    )
    rule(dispute, User.objects.get(username="ada"), "task wrong", "It allows both.", 0)
    return dispute


def note_erratum_of(run: Run) -> Erratum:
    """An erratum with one result that waits and one that has another verdict."""
    key = run.attempts.order_by("pk")[0].task.key
    digests = {key: ["a" * 64, "b" * 64, "c" * 64]}
    kept = BoardSnapshot.objects.filter(suite=run.suite).latest("pk").body
    erratum = Erratum.objects.create(
        suite=run.suite, reason="Too strict.", tasks=digests, board_before=kept
    )
    for attempt, now in zip(run.attempts.order_by("pk")[:2], (None, False), strict=True):
        Rejudgement.objects.create(
            erratum=erratum,
            attempt=attempt,
            before=True,
            now=now,
            state="due" if now is None else "applied",
        )
    return erratum


def own_pages(run: Run, draft: Draft) -> list[Shown]:
    first = run.attempts.select_related("task").order_by("pk")[0]
    paths = {
        "submit": "/submit/",
        "draft": draft.get_absolute_url(),
        "submissions": "/submissions/",
        "view": "/view/",
        "judge-ask": "/judge/ask/",
        "account": "/account/",
        "tokens": "/account/tokens/",
        "run": run.get_absolute_url(),
        "entry": f"/models/{run.entry.slug}/",
        "replay": first.get_absolute_url(),
        "fork": f"{first.get_absolute_url()}fork/",
        "dispute-make": f"{first.get_absolute_url()}dispute/",
        "account_email": "/account/email/",
        "account_change_password": "/account/password/change/",
        "account_logout": "/account/logout/",
        "mfa_index": "/account/2fa/",
        "account_reauthenticate": "/account/reauthenticate/",
    }
    played = open_session(User.objects.get(username="ada"), first.task).get_absolute_url()
    shown = [Shown(name, path, signed_in=True) for name, path in paths.items()]
    return [*shown, Shown("replay", played, signed_in=True)]


def page_names() -> set[str]:
    """Every pattern of the site that answers with a page of its own."""
    return {
        str(pattern.name)
        for path, pattern in all_patterns(get_resolver())
        if pattern.name  # those of removed features have none
        and not path.startswith(NO_PAGES)
        and not path.endswith((*NO_PAGES, *ACTS, *PARTS))
    }
