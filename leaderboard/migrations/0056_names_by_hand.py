"""Entries of people are named by the number of their account: user names come from addresses."""

from django.db import migrations


def rename(apps, schema_editor):
    entries = apps.get_model("leaderboard", "Entry").objects.filter(provenance="human")
    for entry in entries.exclude(owner_id=None):
        entry.name = f"Account {entry.owner_id} (by hand)"
        entry.save(update_fields=["name"])


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0055_changed_sampling")]

    operations = [migrations.RunPython(rename, migrations.RunPython.noop)]
