from django.db import migrations, models


def drop_claims(apps, schema_editor):
    """Of requests that never ended."""
    apps.get_model("leaderboard", "KeptAnswer").objects.filter(status=None).delete()


class Migration(migrations.Migration):

    dependencies = [
        ('leaderboard', '0068_facets_of_attempts'),
    ]

    operations = [
        migrations.RunPython(drop_claims, migrations.RunPython.noop),
        migrations.RemoveField(
            model_name='keptanswer',
            name='claim',
        ),
        migrations.RemoveField(
            model_name='keptanswer',
            name='claimed_at',
        ),
        migrations.AlterField(
            model_name='keptanswer',
            name='status',
            field=models.PositiveSmallIntegerField(default=0),
        ),
    ]
