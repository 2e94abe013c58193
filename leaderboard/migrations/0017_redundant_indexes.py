"""Drop the indexes of foreign keys that repeat the beginning of another index.

By hand, because SQLite would copy every table to change its columns' options.
"""

import django.db.models.deletion
from django.db import migrations, models

COLUMNS = (
    ("attempt", "run"),
    ("attempt", "task"),
    ("failuretag", "attempt"),
    ("run", "suite"),
    ("runsummary", "run"),
    ("standing", "suite"),
    ("step", "attempt"),
    ("task", "suite"),
    ("verdict", "attempt"),
    ("workerpace", "run"),
)


def drop(apps, schema_editor):
    connection = schema_editor.connection
    for model, field in COLUMNS:
        table = apps.get_model("leaderboard", model)._meta.db_table
        with connection.cursor() as cursor:
            found = connection.introspection.get_constraints(cursor, table)
        for name, facts in found.items():
            is_plain = facts["index"] and not facts["unique"] and not facts["primary_key"]
            if is_plain and facts["columns"] == [f"{field}_id"]:
                schema_editor.execute(f"DROP INDEX {connection.ops.quote_name(name)}")


def make(apps, schema_editor):
    for model, field in COLUMNS:
        table = apps.get_model("leaderboard", model)
        index = models.Index(fields=[field], name=f"{model}_{field}_again")
        schema_editor.add_index(table, index)


class Migration(migrations.Migration):

    dependencies = [
        ('leaderboard', '0016_summary_counts'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(drop, make)],
            state_operations=[
                migrations.AlterField(
                    model_name='attempt',
                    name='run',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='attempts', to='leaderboard.run'),
                ),
                migrations.AlterField(
                    model_name='attempt',
                    name='task',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='attempts', to='leaderboard.task'),
                ),
                migrations.AlterField(
                    model_name='failuretag',
                    name='attempt',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='tags', to='leaderboard.attempt'),
                ),
                migrations.AlterField(
                    model_name='run',
                    name='suite',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='leaderboard.suite'),
                ),
                migrations.AlterField(
                    model_name='runsummary',
                    name='run',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='summaries', to='leaderboard.run'),
                ),
                migrations.AlterField(
                    model_name='standing',
                    name='suite',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='standings', to='leaderboard.suite'),
                ),
                migrations.AlterField(
                    model_name='step',
                    name='attempt',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='steps', to='leaderboard.attempt'),
                ),
                migrations.AlterField(
                    model_name='task',
                    name='suite',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='tasks', to='leaderboard.suite'),
                ),
                migrations.AlterField(
                    model_name='verdict',
                    name='attempt',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='verdicts', to='leaderboard.attempt'),
                ),
                migrations.AlterField(
                    model_name='workerpace',
                    name='run',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='paces', to='leaderboard.run'),
                ),
            ],
        ),
    ]
