"""Addresses of submitting: the form, drafts, and what an owner does with a run."""

from django.urls import path

from leaderboard.views import submissions, submit

urlpatterns = [
    path("submit/", submit.submit, name="submit"),
    path("submit/<int:draft_id>/", submit.draft, name="draft"),
    path("submit/<int:draft_id>/check/", submit.check_again, name="draft-check"),
    path("submit/<int:draft_id>/queue/", submit.queue, name="draft-queue"),
    path("submit/<int:draft_id>/discard/", submit.discard, name="draft-discard"),
    path("submissions/", submissions.listing, name="submissions"),
    path("account/", submissions.account, name="account"),
    path("runs/<int:run_id>/cancel/", submissions.cancel, name="run-cancel"),
    path("runs/<int:run_id>/retry/", submissions.retry, name="run-retry"),
    path("runs/<int:run_id>/publish/", submissions.publish, name="run-publish"),
    path("runs/<int:run_id>/withdraw/", submissions.withdraw, name="run-withdraw"),
]
