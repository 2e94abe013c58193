"""Has the runs filed again, since sheets now carry outcomes, first failed steps and turns."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def unfile(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("leaderboard", "Run").objects.filter(is_filed=True).update(is_filed=False)


class Migration(migrations.Migration):

    dependencies = [
        ("leaderboard", "0027_kept_answers"),
    ]

    operations = [
        migrations.RunPython(unfile, migrations.RunPython.noop),
    ]
