from django.db import migrations
from django.db.models import F


def file_anew(apps, schema_editor):
    """A task's solve rate counts runs of the season under way alone: the sweep counts anew."""
    runs = apps.get_model("leaderboard", "Run").objects
    runs.exclude(seed=F("suite__seed")).update(is_filed=False)


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0050_sealed_judgings")]
    operations = [migrations.RunPython(file_anew, migrations.RunPython.noop)]
