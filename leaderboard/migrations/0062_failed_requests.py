from django.db import migrations, models


def keep_reasons(apps, schema_editor):
    paces = apps.get_model("leaderboard", "WorkerPace").objects
    paces.filter(takes_one=True).update(reason="takes_one")


class Migration(migrations.Migration):

    dependencies = [
        ('leaderboard', '0061_account_uses'),
    ]

    operations = [
        migrations.AddField(
            model_name='attempt',
            name='request_failures',
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name='attempt',
            name='request_failed',
            field=models.TextField(blank=True, db_default='', default=''),
        ),
        migrations.AddField(
            model_name='workerpace',
            name='reason',
            field=models.CharField(blank=True, default='', max_length=12),
            preserve_default=False,
        ),
        migrations.RunPython(keep_reasons, migrations.RunPython.noop),
        migrations.RemoveField(
            model_name='workerpace',
            name='takes_one',
        ),
    ]
