"""Addresses of the API, version 1: never reused, never broken."""

from django.urls import path, re_path

from leaderboard.api import (
    artifacts,
    attempts,
    board,
    disputes,
    docs_page,
    entries,
    errata,
    evidence,
    judges,
    ledger,
    run_actions,
    runs,
    schema,
    steps,
    suites,
    tasks,
    uploads,
    verifications,
)
from leaderboard.api.gone import NO_AUDITORS, Unknown, gone

RUN = "runs/<int:run_id>/"
RUN_ACTS = ("cancel", "pause", "resume", "link", "unlink", "retry", "publish", "withdraw")
ATTEMPT = "attempts/<int:attempt_id>/"
DISPUTE = "disputes/<int:dispute_id>/"
JUDGING = "judgings/<int:judging_id>/"
UPLOAD = "uploads/<int:run_id>/"

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
    *(path(f"{RUN}{act}/", run_actions.RunActions.as_view({"post": act})) for act in RUN_ACTS),
    path(f"{RUN}bundle/", evidence.BundleOfRun.as_view()),
    path(f"{RUN}verifications/", verifications.Verifications.as_view()),
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
    path(f"{ATTEMPT}label/<slug:label>/", judges.Label.as_view()),
    re_path(r"^audit(s|ors)/", gone(NO_AUDITORS)),
    path("errata/", errata.Errata.as_view()),
    path("errata/<int:erratum_id>/", errata.OneErratum.as_view()),
    path("errata/<int:erratum_id>/results/", errata.ErratumResults.as_view()),
    path("judges/", judges.Judges.as_view()),
    path("judgings/", judges.Judgings.as_view()),
    path(f"{JUDGING}stop/", judges.JudgingActions.as_view({"post": "stop"})),
    path(f"{JUDGING}resume/", judges.JudgingActions.as_view({"post": "resume"})),
    path(f"{JUDGING}verdicts/", judges.JudgeVerdicts.as_view()),
    path("uploads/", uploads.Uploads.as_view()),
    path("uploads/score/", uploads.Score.as_view()),
    path(UPLOAD, uploads.OneUpload.as_view({"get": "retrieve"}), name="api-upload"),
    path(f"{UPLOAD}original/", uploads.OneUpload.as_view({"get": "original"})),
    path(f"{UPLOAD}execute/", uploads.OneUpload.as_view({"post": "execute"})),
    path(f"{UPLOAD}delete/", uploads.OneUpload.as_view({"post": "remove"})),
    re_path(r"", Unknown.as_view()),
]
