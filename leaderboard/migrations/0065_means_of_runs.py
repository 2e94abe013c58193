from collections import Counter

from django.db import migrations, models

from runner.run_figures import interval_of_sums


def narrow_intervals(apps, schema_editor):
    """Of runs with several attempts per task: by how much their attempts differ."""
    attempts = apps.get_model("leaderboard", "Attempt").objects
    repeated = apps.get_model("leaderboard", "RunSummary").objects.filter(
        attempts__gt=models.F("tasks")
    )
    for row in repeated.iterator():
        of_run = attempts.filter(run=row.run_id)
        found = of_run.filter(category=row.category) if row.category else of_run
        counts = found.values_list("task_id").annotate(
            attempts=models.Count("pk"), passed=models.Count("pk", models.Q(passed=True))
        )
        squares, total = Counter(), 0.0
        for _, tries, passed in counts.order_by("task_id"):
            squares[tries] += passed**2
            total += passed / tries
        summed = sum(found / tries**2 for tries, found in sorted(squares.items()))
        low, high = interval_of_sums(total, summed, row.tasks, row.attempts)
        if low is not None:  # of few tasks 0071 forgets it
            row.low, row.high = low, high
        if row.counts:
            row.counts["squares"] = {str(n): value for n, value in squares.items() if value}
        row.save(update_fields=["low", "high", "counts"])


def place_again(apps, schema_editor):
    """The next sweep places the boards of today by the means of runs."""
    apps.get_model("leaderboard", "Suite").objects.update(changes=models.F("changes") + 1)


class Migration(migrations.Migration):

    dependencies = [
        ('leaderboard', '0064_judgings_not_sealed'),
    ]

    operations = [
        migrations.AddField(
            model_name='standing',
            name='runs',
            field=models.JSONField(db_default=[], default=list),
        ),
        migrations.AddField(
            model_name='standing',
            name='not_shown',
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.RunPython(narrow_intervals, migrations.RunPython.noop, elidable=True),
        migrations.RunPython(place_again, migrations.RunPython.noop, elidable=True),
    ]
