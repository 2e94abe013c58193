"""How many attempts at once each worker finds that a run's endpoint takes."""

from __future__ import annotations

from django.db import models

from leaderboard.models.runs import Run


class WorkerPace(models.Model):
    """What one worker last said of one run; written when it changes, once a second at most."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="paces")
    worker = models.CharField(max_length=120)
    limit = models.PositiveSmallIntegerField()  # at once, now
    highest = models.PositiveSmallIntegerField()  # that `limit` ever was
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "worker"], name="one_pace_per_worker_and_run")
        ]

    def __str__(self) -> str:
        return f"run {self.run_id} on {self.worker}: {self.limit}"
