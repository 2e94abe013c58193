from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('leaderboard', '0057_reply_chars'),
    ]

    operations = [
        migrations.AddField(
            model_name='workerpace',
            name='takes_one',
            field=models.BooleanField(default=False),
        ),
    ]
