from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('leaderboard', '0055_changed_sampling'),
        ('leaderboard', '0055_names_by_hand'),
    ]

    operations = [
        migrations.AddField(
            model_name='workerpace',
            name='takes_one',
            field=models.BooleanField(default=False),
        ),
    ]
