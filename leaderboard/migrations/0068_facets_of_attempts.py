"""What failures are counted by stands in columns of the attempts, in place of packed books."""

from django.db import migrations, models
from django.db.models import functions

LISTED_BYTES = 1_500  # `leaderboard.failures.tagging`: an index takes no longer rows


def fill(apps, schema_editor):
    vendor = schema_editor.connection.vendor
    add_up = "STRING_AGG" if vendor == "postgresql" else "GROUP_CONCAT"
    of_it = "attempt_id = leaderboard_attempt.id"
    of_its_try = f"s.{of_it} AND s.try_number = leaderboard_attempt.tries"
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(
            "UPDATE leaderboard_attempt SET first_failed_step = "
            f'(SELECT MIN(s."index") FROM leaderboard_step s WHERE {of_its_try} '
            "AND s.status IN ('error', 'timeout', 'killed')), "
            f"tag_list = COALESCE((SELECT %s || {add_up}(t.tag, %s) || %s FROM (SELECT tag FROM "
            f"leaderboard_failuretag WHERE {of_it} ORDER BY tag) AS t), ''), "
            f"error_list = COALESCE((SELECT %s || {add_up}(e.error_name, %s) || %s FROM (SELECT "
            f"DISTINCT s.error_name FROM leaderboard_step s WHERE {of_its_try} "
            "AND s.error_name <> '' ORDER BY s.error_name) AS e), '') WHERE status = 'done'",
            ["\n"] * 6,
        )
    attempts = apps.get_model("leaderboard", "Attempt").objects
    long = attempts.annotate(chars=functions.Length("error_list")).filter(
        chars__gt=LISTED_BYTES // 4
    )
    for pk, listed in long.values_list("pk", "error_list").iterator():
        while len(listed.encode()) > LISTED_BYTES:
            listed = listed[:-1].rpartition("\n")[0] + "\n"
        attempts.filter(pk=pk).update(error_list=listed)


class Migration(migrations.Migration):

    dependencies = [
        ('leaderboard', '0067_incomplete_runs'),
    ]

    operations = [
        migrations.AddField(
            model_name='attempt',
            name='first_failed_step',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='attempt',
            name='tag_list',
            field=models.TextField(blank=True, db_default='', default=''),
        ),
        migrations.AddField(
            model_name='attempt',
            name='error_list',
            field=models.TextField(blank=True, db_default='', default=''),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=False),
        migrations.AddIndex(
            model_name='attempt',
            index=models.Index(condition=models.Q(('status', 'done')), fields=['passed', 'run', 'task', 'outcome', 'turns', 'first_failed_step', 'tag_list', 'error_list', 'id'], name='attempt_facets'),
        ),
        migrations.RemoveIndex(
            model_name='attempt',
            name='attempt_aggregate',
        ),
        migrations.RemoveIndex(
            model_name='step',
            name='step_error',
        ),
        migrations.DeleteModel(
            name='SheetBook',
        ),
    ]
