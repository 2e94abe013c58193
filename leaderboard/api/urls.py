"""Addresses of the API, version 1: never reused, never broken."""

from django.urls import path, re_path

from leaderboard.api import (
    artifacts,
    attempts,
    board,
    disputes,
    docs_page,
    entries,
    ledger,
    not_found,
    run_actions,
    runs,
    schema,
    steps,
    suites,
    tasks,
    uploads,
)

RUN = "runs/<int:run_id>/"
ATTEMPT = "attempts/<int:attempt_id>/"
DISPUTE = "disputes/<int:dispute_id>/"

urlpatterns = [
    path("", docs_page.contents, name="api"),
    path("docs/", docs_page.page, name="api-docs"),
    path("schema/", schema.Schema.as_view(), name="api-schema"),
    path("ledger/", ledger.Ledger.as_view()),
    path("suites/", suites.Suites.as_view()),
    path("suites/<str:reference>/", suites.OneSuite.as_view()),
    path("tasks/", tasks.Tasks.as_view()),
    path("tasks/<int:task_id>/", tasks.OneTask.as_view()),
    path("entries/", entries.Entries.as_view()),
    path("entries/<slug:slug>/", entries.OneEntry.as_view()),
    path("board/", board.BoardOfSuite.as_view()),
    path("runs/", runs.Runs.as_view()),
    path(RUN, runs.OneRun.as_view(), name="api-run"),
    path(f"{RUN}cancel/", run_actions.Cancel.as_view()),
    path(f"{RUN}pause/", run_actions.Pause.as_view()),
    path(f"{RUN}resume/", run_actions.Resume.as_view()),
    path(f"{RUN}link/", run_actions.Link.as_view()),
    path(f"{RUN}unlink/", run_actions.Unlink.as_view()),
    path(f"{RUN}retry/", run_actions.Retry.as_view()),
    path(f"{RUN}publish/", run_actions.Publish.as_view()),
    path(f"{RUN}withdraw/", run_actions.Withdraw.as_view()),
    path("attempts/", attempts.Attempts.as_view()),
    path(ATTEMPT, attempts.OneAttempt.as_view()),
    path(f"{ATTEMPT}steps/", steps.Steps.as_view()),
    path(f"{ATTEMPT}artifacts/", artifacts.Artifacts.as_view()),
    path(
        "artifacts/<int:artifact_id>/content/",
        artifacts.ArtifactContent.as_view(),
        name="api-artifact-content",
    ),
    path("disputes/", disputes.Disputes.as_view()),
    path(DISPUTE, disputes.OneDispute.as_view(), name="api-dispute"),
    path(f"{DISPUTE}file/", disputes.DisputeFile.as_view(), name="api-dispute-file"),
    path(f"{DISPUTE}rule/", disputes.Rule.as_view()),
    path("uploads/", uploads.Uploads.as_view()),
    path("uploads/score/", uploads.Score.as_view()),
    path("uploads/<int:run_id>/", uploads.OneUpload.as_view(), name="api-upload"),
    path("uploads/<int:run_id>/original/", uploads.Original.as_view()),
    path("uploads/<int:run_id>/execute/", uploads.Execute.as_view()),
    path("uploads/<int:run_id>/delete/", uploads.Delete.as_view()),
    re_path(r"", not_found.Unknown.as_view()),
]
