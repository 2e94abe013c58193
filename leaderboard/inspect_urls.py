"""Addresses of what an inspector asks for: failures, downloads, frames."""

from django.urls import path

from leaderboard.views import exports, failures, frames, health

ATTEMPT = "runs/<int:run_id>/tasks/<slug:key>"

urlpatterns = [
    path("suites/<slug:suite>/health/", health.health, name="health"),
    path("suites/<slug:suite>/health.json", health.health_json, name="health-json"),
    path("published/", health.published, name="published"),
    path("failures/", failures.failures, name="failures"),
    path("failures.json", failures.failures_json, name="failures-json"),
    path(f"{ATTEMPT}/attempt.json", exports.attempt_json, name="attempt-json"),
    path(f"{ATTEMPT}/export/<slug:form>", exports.attempt_file, name="attempt-file"),
    path("frames/<sha256:sha256>/<str:name>", frames.frame, name="frame"),
    path("runs/<int:run_id>/export/<slug:form>", exports.run_file, name="run-file"),
]
