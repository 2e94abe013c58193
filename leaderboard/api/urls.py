"""Addresses of the API, version 1: never reused, never broken."""

from django.urls import path, re_path

from leaderboard.api import (
    acts,
    artifacts,
    attempts,
    board,
    docs,
    entries,
    runs,
    schema,
    steps,
    suites,
    tasks,
    unknown,
)

RUN = "runs/<int:run_id>/"
ATTEMPT = "attempts/<int:attempt_id>/"

urlpatterns = [
    path("", docs.contents, name="api"),
    path("docs/", docs.page, name="api-docs"),
    path("schema/", schema.Schema.as_view(), name="api-schema"),
    path("suites/", suites.Suites.as_view()),
    path("suites/<str:reference>/", suites.OneSuite.as_view()),
    path("tasks/", tasks.Tasks.as_view()),
    path("tasks/<int:task_id>/", tasks.OneTask.as_view()),
    path("entries/", entries.Entries.as_view()),
    path("entries/<slug:slug>/", entries.OneEntry.as_view()),
    path("board/", board.BoardOfSuite.as_view()),
    path("runs/", runs.Runs.as_view()),
    path(RUN, runs.OneRun.as_view(), name="api-run"),
    path(f"{RUN}cancel/", acts.Cancel.as_view()),
    path(f"{RUN}retry/", acts.Retry.as_view()),
    path(f"{RUN}publish/", acts.Publish.as_view()),
    path(f"{RUN}withdraw/", acts.Withdraw.as_view()),
    path("attempts/", attempts.Attempts.as_view()),
    path(ATTEMPT, attempts.OneAttempt.as_view()),
    path(f"{ATTEMPT}steps/", steps.Steps.as_view()),
    path(f"{ATTEMPT}artifacts/", artifacts.Artifacts.as_view()),
    path(
        "artifacts/<int:artifact_id>/content/",
        artifacts.ArtifactContent.as_view(),
        name="api-artifact-content",
    ),
    re_path(r"", unknown.Unknown.as_view()),
]
