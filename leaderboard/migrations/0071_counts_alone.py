from django.db import migrations, models
from django.db.models import Count

LEAST_TASKS = 20


def forget(apps, schema_editor):
    """Intervals and ranks of fewer tasks."""
    rows = apps.get_model("leaderboard", "RunSummary").objects
    rows.filter(tasks__lt=LEAST_TASKS).update(low=None, high=None)
    suites = apps.get_model("leaderboard", "Suite").objects.annotate(count=Count("tasks"))
    small = list(suites.filter(count__lt=LEAST_TASKS).values_list("pk", flat=True))
    places = apps.get_model("leaderboard", "Standing").objects.filter(suite__in=small)
    places.update(rank_low=None, rank_high=None, lead_needed=None)
    # Boards are read again.
    apps.get_model("leaderboard", "Suite").objects.filter(pk__in=small).update(
        placings=models.F("placings") + 1
    )


class Migration(migrations.Migration):

    dependencies = [
        ("leaderboard", "0070_celery_queue"),
    ]

    operations = [
        migrations.AlterField("runsummary", "low", models.FloatField(null=True)),
        migrations.AlterField("runsummary", "high", models.FloatField(null=True)),
        migrations.AlterField("standing", "rank_low", models.PositiveIntegerField(null=True)),
        migrations.AlterField("standing", "rank_high", models.PositiveIntegerField(null=True)),
        migrations.RunPython(forget, migrations.RunPython.noop),
    ]
