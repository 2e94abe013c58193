"""Addresses of the pages: never reused, never broken."""

from django.urls import include, path, register_converter
from django.urls.converters import StringConverter

from leaderboard.views import (
    board,
    by_hand,
    cards,
    changes,
    charts,
    compare,
    downloads,
    entries,
    failures,
    files,
    forks,
    html_frames,
    json_pages,
    ledger,
    my_runs,
    notices,
    replay,
    runs,
    self_contained,
    shared_runs,
    sharing,
    side_by_side,
    snapshots,
    static_pages,
    submit,
    suite_health,
    tasks,
    tokens,
    uploads,
)

ATTEMPT = "runs/<int:run_id>/tasks/<slug:key>"


class Sha256Converter(StringConverter):
    """A content's digest, in lower case."""

    regex = "[0-9a-f]{64}"


class LinkTokenConverter(StringConverter):
    """The token of a link to a private run."""

    regex = "[A-Za-z0-9_-]{43}"


register_converter(Sha256Converter, "sha256")
register_converter(LinkTokenConverter, "link")

urlpatterns = [
    path("", board.board, name="board"),
    path("board.json", board.board_json, name="board-json"),
    path("board.csv", board.board_csv, name="board-csv"),
    path("runs/<int:run_id>/", runs.run, name="run"),
    path("card.png", cards.board_card, name="board-card"),
    path("runs/<int:run_id>/card.png", cards.run_card, name="run-card"),
    path("models/<slug:slug>/card.png", cards.entry_card, name="entry-card"),
    path("tasks/<slug:suite>/<slug:key>/card.png", cards.task_card, name="task-card"),
    path("runs/<int:run_id>/badge.svg", sharing.badge, name="run-badge"),
    path("runs/<int:run_id>/cite.bib", sharing.citation, name="run-citation"),
    path(
        "runs/<int:run_id>/every-eval-ever.json",
        sharing.every_eval_ever,
        name="run-every-eval-ever",
    ),
    path("runs/<int:run_id>/eval-results.yaml", sharing.hub_results, name="run-hub-results"),
    path("runs/<int:run_id>/progress/", runs.run_progress, name="run-progress"),
    path("runs/<int:run_id>/tasks/<slug:key>/", replay.replay, name="replay"),
    path("runs/<int:run_id>/tasks/<slug:key>/notes/", replay.pin, name="note-pin"),
    path(f"{ATTEMPT}/type/", replay.type_next, name="hand-type"),
    path(f"{ATTEMPT}/fork/", forks.fork, name="fork"),
    path("notes/<int:note_id>/delete/", replay.unpin, name="note-delete"),
    path("tasks/", tasks.newest_tasks, name="newest-tasks"),
    path("tasks/<slug:suite>/", tasks.task_list, name="tasks"),
    path("tasks/<slug:suite>/<slug:key>/", tasks.task, name="task"),
    path(
        "tasks/<slug:suite>/<slug:key>/side-by-side/",
        side_by_side.side_by_side,
        name="side-by-side",
    ),
    path("tasks/<slug:suite>/<slug:key>/by-hand/", by_hand.begin, name="hand-begin"),
    path("suites/<slug:suite>/health/", suite_health.health, name="health"),
    path("suites/<slug:suite>/health.json", suite_health.health_json, name="health-json"),
    path("published/", suite_health.published, name="published"),
    path("failures/", failures.failures, name="failures"),
    path("failures.json", failures.failures_json, name="failures-json"),
    path("failures.csv", failures.failures_csv, name="failures-csv"),
    path(f"{ATTEMPT}/attempt.json", downloads.attempt_json, name="attempt-json"),
    path(f"{ATTEMPT}/export/<slug:form>", downloads.attempt_file, name="attempt-file"),
    path(f"{ATTEMPT}/steps/<int:index>.json", downloads.step_json, name="step-json"),
    path(f"{ATTEMPT}/replay.html", self_contained.self_contained, name="self-contained"),
    path("frames/<sha256:sha256>/<str:name>", html_frames.frame, name="frame"),
    path("runs/<int:run_id>/export/<slug:form>", downloads.run_file, name="run-file"),
    path("files/<sha256:sha256>/<str:name>", files.file, name="file"),
    path("models/<slug:slug>/", entries.entry, name="entry"),
    path("models/<slug:slug>.json", entries.entry_json, name="entry-json"),
    path("runs/<int:run_id>.json", json_pages.run_json, name="run-json"),
    path("tasks/<slug:suite>/<slug:key>.json", json_pages.task_json, name="task-json"),
    path("tasks/<slug:suite>.json", tasks.task_list_json, name="tasks-json"),
    path("tasks/<slug:suite>.csv", tasks.task_list_csv, name="tasks-csv"),
    path("charts/", charts.charts, name="charts"),
    path("charts/list/", charts.chart_list, name="chart-list"),
    path("charts/pass-rates.svg", sharing.rates, name="rates-svg"),
    path("charts/<slug:key>.json", charts.chart_json, name="chart-json"),
    path("charts/<slug:key>.csv", charts.chart_csv, name="chart-csv"),
    path("changes/", changes.changes, name="changes"),
    path("changes.json", changes.changes_json, name="changes-json"),
    path("changes.atom", changes.feed, name="changes-feed"),
    path("ledger/", ledger.ledger, name="ledger"),
    path("ledger.jsonl", ledger.ledger_lines, name="ledger-lines"),
    path("snapshots/", snapshots.snapshots, name="snapshots"),
    path(
        "snapshots/<str:suite>/<int:season>/<str:day>/",
        snapshots.snapshot,
        name="snapshot",
    ),
    path(
        "snapshots/<str:suite>/<int:season>/<str:day>/<str:name>",
        snapshots.snapshot_file,
        name="snapshot-file",
    ),
    path("compare/", compare.compare, name="compare"),
    path("compare.json", compare.compare_json, name="compare-json"),
    path("compare.csv", compare.compare_csv, name="compare-csv"),
    path("api/v1/", include("leaderboard.api.urls")),
    path("account/notices/", notices.notices, name="notices"),
    path("account/tokens/", tokens.tokens, name="tokens"),
    path("account/tokens/<int:token_id>/revoke/", tokens.revoke, name="revoke-token"),
    path("view/", uploads.view, name="view"),
    path("runs/<int:run_id>/original/", uploads.original, name="upload-original"),
    path("runs/<int:run_id>/execute/", uploads.execute, name="upload-execute"),
    path("runs/<int:run_id>/delete/", uploads.delete, name="upload-delete"),
    path("submit/", submit.submit, name="submit"),
    path("submit/models/", submit.ask_models, name="ask-for-models"),
    path("submit/<int:draft_id>/models/", submit.listed_models, name="draft-models"),
    path("submit/<int:draft_id>/", submit.draft, name="draft"),
    path("submit/<int:draft_id>/check/", submit.check_again, name="draft-check"),
    path("submit/<int:draft_id>/queue/", submit.queue, name="draft-queue"),
    path("submit/<int:draft_id>/discard/", submit.discard, name="draft-discard"),
    path("submissions/", my_runs.listing, name="submissions"),
    path("account/", my_runs.account, name="account"),
    path("runs/<int:run_id>/cancel/", my_runs.cancel, name="run-cancel"),
    path("runs/<int:run_id>/pause/", my_runs.pause, name="run-pause"),
    path("runs/<int:run_id>/resume/", my_runs.resume, name="run-resume"),
    path("runs/<int:run_id>/link/", shared_runs.make, name="run-link"),
    path("runs/<int:run_id>/unlink/", shared_runs.unmake, name="run-unlink"),
    path("shared/<link:token>/", shared_runs.follow, name="shared-run"),
    path("shared/<link:token>/<path:path>", shared_runs.follow, name="shared-page"),
    path("runs/<int:run_id>/retry/", my_runs.retry, name="run-retry"),
    path("runs/<int:run_id>/publish/", my_runs.publish, name="run-publish"),
    path("runs/<int:run_id>/withdraw/", my_runs.withdraw, name="run-withdraw"),
    path("robots.txt", static_pages.robots, name="robots"),
    path("about/method/", static_pages.method, name="method"),
]
