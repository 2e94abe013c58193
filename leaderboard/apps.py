"""The application that people see."""

from django.apps import AppConfig


class LeaderboardConfig(AppConfig):
    name = "leaderboard"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from leaderboard.operations import deploy_checks  # noqa: F401 - registers itself
        from leaderboard.scoring import filing  # noqa: F401 - the same
        from leaderboard.upkeep import half_restored  # noqa: F401 - the same
