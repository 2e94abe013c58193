import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('leaderboard', '0060_ranges_by_leads'),
    ]

    operations = [
        migrations.RemoveIndex(model_name='upload', name='upload_of_owner'),
        migrations.RenameModel(old_name='Upload', new_name='AccountUse'),
        migrations.RemoveField(model_name='accountuse', name='sha256'),
        migrations.AddField(
            model_name='accountuse',
            name='kind',
            field=models.CharField(
                choices=[
                    ('submission', 'Submission'),
                    ('check', 'Check'),
                    ('upload', 'Upload'),
                    ('dispute', 'Dispute'),
                    ('hand-session', 'Hand Session'),
                ],
                default='upload',
                max_length=20,
            ),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name='accountuse',
            name='owner',
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name='uses',
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AlterField(
            model_name='accountuse',
            name='run',
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name='uses',
                to='leaderboard.run',
            ),
        ),
        migrations.AlterField(
            model_name='accountuse',
            name='size_bytes',
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AddIndex(
            model_name='accountuse',
            index=models.Index(fields=['owner', 'kind', 'created_at'], name='use_of_account'),
        ),
    ]
