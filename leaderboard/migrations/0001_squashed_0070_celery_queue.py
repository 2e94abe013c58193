"""The tables as the seventy migrations before left them, in one step for a new database.

A database that has all seventy counts as migrated; one that has some takes the others one by one.
"""

import django.core.validators
import django.db.models.deletion
import django.utils.timezone
import leaderboard.models.ledger
import runner.contract
import uuid
from decimal import Decimal
from django.conf import settings
from django.db import DatabaseError, migrations, models, transaction


# Whatever rebuilds the table of texts on SQLite must make its three triggers again.
TEXTS = "leaderboard_attempttext"
INDEX = f"{TEXTS}_index"
REMOVE = f"INSERT INTO {INDEX}({INDEX}, rowid, body) VALUES ('delete', old.id, old.body);"
ADD = f"INSERT INTO {INDEX}(rowid, body) VALUES (new.id, new.body);"
SQLITE_INDEX = (
    f"CREATE VIRTUAL TABLE {INDEX} USING fts5("
    f"body, content='{TEXTS}', content_rowid='id', tokenize='trigram')",
    f"CREATE TRIGGER {INDEX}_added AFTER INSERT ON {TEXTS} BEGIN {ADD} END",
    f"CREATE TRIGGER {INDEX}_removed AFTER DELETE ON {TEXTS} BEGIN {REMOVE} END",
    f"CREATE TRIGGER {INDEX}_changed AFTER UPDATE ON {TEXTS} BEGIN {REMOVE} {ADD} END",
)
POSTGRESQL_INDEX = (
    "CREATE EXTENSION IF NOT EXISTS pg_trgm",
    f'CREATE INDEX {INDEX} ON {TEXTS} USING gin (body COLLATE "C" gin_trgm_ops)',
)

# The ledger and its payloads are never rewritten, whoever asks the database to.
LEDGER = ("leaderboard_ledgerentry", "leaderboard_ledgerpayload")
POSTGRESQL_FUNCTION = """
CREATE OR REPLACE FUNCTION pybench_refuse_rewriting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'the ledger is never rewritten'; END $$
"""


def index_texts(apps, schema_editor):
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            for statement in SQLITE_INDEX:
                cursor.execute(statement)
            return
        try:
            with transaction.atomic(using=connection.alias):
                for statement in POSTGRESQL_INDEX:
                    cursor.execute(statement)
        except DatabaseError:
            # Without the extension, or the right to add it, a search reads every text.
            pass


def keep_ledger(apps, schema_editor):
    is_postgresql = schema_editor.connection.vendor == "postgresql"
    refuse = "BEGIN SELECT RAISE(ABORT, 'the ledger is never rewritten'); END"
    if is_postgresql:
        schema_editor.execute(POSTGRESQL_FUNCTION)
        refuse = "FOR EACH ROW EXECUTE FUNCTION pybench_refuse_rewriting()"
    for table in LEDGER:
        for act in ("UPDATE", "DELETE"):
            name = f"{table}_no_{act.lower()}"
            schema_editor.execute(f"CREATE TRIGGER {name} BEFORE {act} ON {table} {refuse}")


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ("leaderboard", "0001_initial"),
        ("leaderboard", "0002_queue"),
        ("leaderboard", "0003_journeys"),
        ("leaderboard", "0004_recordings"),
        ("leaderboard", "0005_text_index"),
        ("leaderboard", "0006_drafts"),
        ("leaderboard", "0007_solved_index"),
        ("leaderboard", "0008_pdf_pages"),
        ("leaderboard", "0009_preflighted_runs"),
        ("leaderboard", "0010_paces"),
        ("leaderboard", "0011_suite_health"),
        ("leaderboard", "0012_paper_score"),
        ("leaderboard", "0013_unreferenced_files"),
        ("leaderboard", "0014_filed_runs"),
        ("leaderboard", "0015_text_index"),
        ("leaderboard", "0016_summary_counts"),
        ("leaderboard", "0017_redundant_indexes"),
        ("leaderboard", "0018_past_seasons"),
        ("leaderboard", "0019_run_reviews"),
        ("leaderboard", "0020_guessable_tasks"),
        ("leaderboard", "0021_money"),
        ("leaderboard", "0022_changes"),
        ("leaderboard", "0023_task_facets"),
        ("leaderboard", "0024_snapshots"),
        ("leaderboard", "0025_unopened_files"),
        ("leaderboard", "0026_task_english_query"),
        ("leaderboard", "0027_kept_answers"),
        ("leaderboard", "0028_sheets_of_outcomes"),
        ("leaderboard", "0029_pauses"),
        ("leaderboard", "0030_facet_ranks"),
        ("leaderboard", "0031_ceilings"),
        ("leaderboard", "0032_extra_headers"),
        ("leaderboard", "0033_run_links"),
        ("leaderboard", "0034_notices"),
        ("leaderboard", "0035_private_uploads"),
        ("leaderboard", "0036_recorded_attempts"),
        ("leaderboard", "0037_step_notes"),
        ("leaderboard", "0038_forks"),
        ("leaderboard", "0039_by_hand"),
        ("leaderboard", "0040_ledger"),
        ("leaderboard", "0041_new_key"),
        ("leaderboard", "0042_judges"),
        ("leaderboard", "0043_run_statements"),
        ("leaderboard", "0044_kept_board_counts"),
        ("leaderboard", "0045_disputes"),
        ("leaderboard", "0046_run_verifications"),
        ("leaderboard", "0047_snapshot_ends"),
        ("leaderboard", "0048_errata"),
        ("leaderboard", "0049_auditors"),
        ("leaderboard", "0050_sealed_judgings"),
        ("leaderboard", "0051_season_counts"),
        ("leaderboard", "0052_rejudgement_order"),
        ("leaderboard", "0053_audits_of_all"),
        ("leaderboard", "0054_verdicts_return"),
        ("leaderboard", "0055_changed_sampling"),
        ("leaderboard", "0056_names_by_hand"),
        ("leaderboard", "0057_reply_chars"),
        ("leaderboard", "0058_endpoints_that_take_one"),
        ("leaderboard", "0059_reported_verifications"),
        ("leaderboard", "0060_ranges_by_leads"),
        ("leaderboard", "0061_account_uses"),
        ("leaderboard", "0062_failed_requests"),
        ("leaderboard", "0063_no_auditors"),
        ("leaderboard", "0064_judgings_not_sealed"),
        ("leaderboard", "0065_means_of_runs"),
        ("leaderboard", "0066_task_rates"),
        ("leaderboard", "0067_incomplete_runs"),
        ("leaderboard", "0068_facets_of_attempts"),
        ("leaderboard", "0069_answers_in_one_transaction"),
        ("leaderboard", "0070_celery_queue"),
    ]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Attempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(default=1)),
                ('category', models.CharField(max_length=40)),
                ('status', models.CharField(choices=[('checking', 'checking'), ('queued', 'queued'), ('running', 'running'), ('paused', 'paused'), ('done', 'done'), ('cancelled', 'cancelled'), ('refused', 'refused')], default=runner.contract.Status['QUEUED'], max_length=12)),
                ('token', models.UUIDField(default=uuid.uuid4)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('void_tries', models.PositiveSmallIntegerField(default=0)),
                ('not_before', models.DateTimeField(blank=True, null=True)),
                ('worker', models.CharField(blank=True, max_length=120)),
                ('outcome', models.CharField(blank=True, choices=[('finished', 'finished'), ('out_of_turns', 'out of turns'), ('out_of_time', 'out of time'), ('context_full', 'context full'), ('cancelled', 'cancelled'), ('endpoint_failed', 'endpoint failed'), ('kernel_lost', 'kernel lost'), ('check_crashed', 'check crashed'), ('worker_lost', 'worker lost')], max_length=20)),
                ('passed', models.BooleanField(blank=True, null=True)),
                ('sentence', models.TextField(blank=True)),
                ('turns', models.PositiveSmallIntegerField(default=0)),
                ('reply_chars', models.PositiveIntegerField(db_default=0, default=0)),
                ('request_failures', models.PositiveIntegerField(db_default=0, default=0)),
                ('request_failed', models.TextField(blank=True, db_default='', default='')),
                ('prompt_tokens', models.PositiveBigIntegerField(blank=True, null=True)),
                ('completion_tokens', models.PositiveBigIntegerField(blank=True, null=True)),
                ('cached_tokens', models.PositiveBigIntegerField(blank=True, null=True)),
                ('reasoning_tokens', models.PositiveBigIntegerField(blank=True, null=True)),
                ('model_s', models.FloatField(default=0)),
                ('cell_s', models.FloatField(default=0)),
                ('wall_s', models.FloatField(default=0)),
                ('resemblance', models.FloatField(blank=True, null=True)),
                ('first_failed_step', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('tag_list', models.TextField(blank=True, db_default='', default='')),
                ('error_list', models.TextField(blank=True, db_default='', default='')),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('fault', models.CharField(blank=True, max_length=12)),
                ('problem_code', models.CharField(blank=True, max_length=60)),
                ('problem', models.TextField(blank=True)),
                ('next_step', models.TextField(blank=True)),
                ('opening', models.BinaryField(default=bytes)),
                ('closing', models.BinaryField(default=bytes)),
            ],
        ),
        migrations.CreateModel(
            name='Judge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=60, unique=True)),
                ('name', models.CharField(max_length=120)),
                ('model_name', models.CharField(max_length=300)),
                ('form', models.CharField(default='single', max_length=12)),
                ('takes_images', models.BooleanField(default=False)),
                ('temperature', models.FloatField(blank=True, null=True)),
                ('max_tokens', models.PositiveIntegerField(default=1500)),
                ('prompt_version', models.CharField(max_length=40)),
                ('prompt_digest', models.CharField(max_length=64)),
                ('digest', models.CharField(max_length=64)),
                ('is_scripted', models.BooleanField(default=False)),
                ('base_url', models.CharField(max_length=500)),
                ('encrypted_key', models.BinaryField(blank=True, default=bytes)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'ordering': ['name', 'id'],
            },
        ),
        migrations.CreateModel(
            name='LedgerAct',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=40)),
                ('subject', models.CharField(blank=True, max_length=200)),
                ('actor', models.CharField(blank=True, max_length=160)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('run_number', models.PositiveBigIntegerField(blank=True, null=True)),
                ('is_open', models.BooleanField(default=True)),
                ('payload', models.TextField()),
            ],
        ),
        migrations.CreateModel(
            name='LedgerPayload',
            fields=[
                ('number', models.PositiveBigIntegerField(primary_key=True, serialize=False)),
                ('run_number', models.PositiveBigIntegerField(blank=True, db_index=True, null=True)),
                ('is_open', models.BooleanField(default=True)),
                ('body', models.TextField()),
            ],
        ),
        migrations.CreateModel(
            name='Run',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seed', models.BigIntegerField()),
                ('provider', models.CharField(blank=True, db_default='', default='', max_length=100)),
                ('attempts_per_task', models.PositiveSmallIntegerField(default=1)),
                ('concurrency', models.PositiveSmallIntegerField(default=2)),
                ('limits', models.JSONField(default=dict)),
                ('changed_sampling', models.JSONField(blank=True, db_default={}, default=dict)),
                ('environment', models.JSONField(blank=True, default=dict)),
                ('status', models.CharField(choices=[('checking', 'checking'), ('queued', 'queued'), ('running', 'running'), ('paused', 'paused'), ('done', 'done'), ('cancelled', 'cancelled'), ('refused', 'refused')], default=runner.contract.Status['QUEUED'], max_length=12)),
                ('is_public', models.BooleanField(default=True)),
                ('is_public_later', models.BooleanField(default=False)),
                ('published_at', models.DateTimeField(blank=True, null=True)),
                ('withdrawn_at', models.DateTimeField(blank=True, null=True)),
                ('preflight', models.JSONField(blank=True, default=dict)),
                ('paper', models.JSONField(blank=True, default=dict)),
                ('cancel_requested', models.BooleanField(default=False)),
                ('is_checking_key', models.BooleanField(db_default=False, default=False)),
                ('encrypted_new_key', models.BinaryField(blank=True, null=True)),
                ('ceiling', models.BigIntegerField(blank=True, null=True)),
                ('ceiling_prices', models.JSONField(blank=True, default=dict)),
                ('spent', models.BigIntegerField(db_default=0, default=0)),
                ('reserved', models.BigIntegerField(db_default=0, default=0)),
                ('reserved_until', models.DateTimeField(blank=True, null=True)),
                ('stopped_for', models.CharField(blank=True, db_default='', default='', max_length=12)),
                ('sequence', models.PositiveBigIntegerField(default=0)),
                ('is_filed', models.BooleanField(default=False)),
                ('is_sealed', models.BooleanField(db_default=False, default=False)),
                ('verified_by', models.PositiveIntegerField(blank=True, null=True)),
                ('woken_at', models.DateTimeField(blank=True, null=True)),
                ('endpoint_failures', models.PositiveSmallIntegerField(default=0)),
                ('away_since', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='TaskLock',
            fields=[
                ('name', models.CharField(max_length=40, primary_key=True, serialize=False)),
            ],
        ),
        migrations.CreateModel(
            name='Worker',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=120, unique=True)),
                ('places', models.PositiveIntegerField()),
                ('seen_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80)),
                ('prefix', models.CharField(max_length=12)),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('last_used_at', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='AttemptText',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('body', models.TextField()),
                ('attempt', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='text', to='leaderboard.attempt')),
            ],
        ),
        migrations.CreateModel(
            name='Blob',
            fields=[
                ('sha256', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('size_bytes', models.PositiveBigIntegerField()),
                ('mime', models.CharField(max_length=100)),
                ('width', models.PositiveIntegerField(blank=True, null=True)),
                ('height', models.PositiveIntegerField(blank=True, null=True)),
                ('unreferenced_since', models.DateTimeField(blank=True, null=True)),
                ('preview_tries', models.PositiveSmallIntegerField(default=0)),
                ('preview_tried_at', models.DateTimeField(blank=True, null=True)),
                ('preview', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='drawn_from', to='leaderboard.blob')),
            ],
        ),
        migrations.CreateModel(
            name='Artifact',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('try_number', models.PositiveSmallIntegerField(default=1)),
                ('role', models.CharField(choices=[('input', 'Input'), ('output', 'Output'), ('refused', 'Refused')], max_length=8)),
                ('path', models.CharField(max_length=1000)),
                ('reason', models.CharField(blank=True, max_length=300)),
                ('attempt', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='artifacts', to='leaderboard.attempt')),
                ('blob', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='leaderboard.blob')),
            ],
            options={
                'ordering': ['role', 'path'],
            },
        ),
        migrations.CreateModel(
            name='Dispute',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('assertion', models.PositiveSmallIntegerField(default=0)),
                ('assertion_name', models.CharField(blank=True, max_length=300)),
                ('words', models.TextField()),
                ('name', models.CharField(max_length=150)),
                ('file_name', models.CharField(blank=True, max_length=200)),
                ('state', models.CharField(choices=[('open', 'Open'), ('verdict stands', 'Stands'), ('check wrong', 'Check Wrong'), ('task wrong', 'Task Wrong')], default='open', max_length=16)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('account', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='disputes', to=settings.AUTH_USER_MODEL)),
                ('attempt', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='disputes', to='leaderboard.attempt')),
                ('blob', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='leaderboard.blob')),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='Draft',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('facts', models.JSONField(default=dict)),
                ('encrypted_key', models.BinaryField(blank=True, default=bytes)),
                ('encrypted_extra', models.BinaryField(blank=True, default=bytes)),
                ('encrypted_headers', models.BinaryField(blank=True, default=bytes)),
                ('report', models.JSONField(blank=True, default=dict)),
                ('asked_at', models.DateTimeField(blank=True, null=True)),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='drafts', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=80, unique=True)),
                ('name', models.CharField(max_length=200)),
                ('organisation', models.CharField(blank=True, max_length=200)),
                ('model_name', models.CharField(max_length=300)),
                ('action_format', models.CharField(choices=[('fenced', 'fenced'), ('markers', 'markers'), ('tools', 'tools')], default=runner.contract.ActionFormat['FENCED'], max_length=12)),
                ('parameters_b', models.FloatField(blank=True, null=True)),
                ('weights', models.CharField(choices=[('open', 'Open'), ('closed', 'Closed'), ('unknown', 'Unknown')], default='unknown', max_length=8)),
                ('provenance', models.CharField(choices=[('run here', 'Run Here'), ('re-executed', 'Re Executed'), ('re-scored', 'Re Scored'), ('forked', 'Forked'), ('human', 'Human'), ('quoted', 'Quoted'), ('recorded', 'Recorded'), ('scripted baseline', 'Scripted')], default='run here', max_length=20)),
                ('sampling', models.JSONField(blank=True, default=dict)),
                ('extra_fields', models.JSONField(blank=True, default=list)),
                ('extra_headers', models.JSONField(blank=True, default=list)),
                ('description', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('owner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='entries', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'entries',
            },
        ),
        migrations.CreateModel(
            name='Endpoint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('base_url', models.CharField(max_length=500)),
                ('encrypted_key', models.BinaryField(blank=True, default=bytes)),
                ('encrypted_extra', models.BinaryField(blank=True, default=bytes)),
                ('encrypted_headers', models.BinaryField(blank=True, default=bytes)),
                ('entry', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='endpoint', to='leaderboard.entry')),
            ],
        ),
        migrations.CreateModel(
            name='Erratum',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.TextField()),
                ('tasks', models.JSONField(default=dict)),
                ('digest_before', models.CharField(max_length=64)),
                ('digest_now', models.CharField(max_length=64)),
                ('board_before', models.BinaryField(default=bytes)),
                ('driven_until', models.DateTimeField(blank=True, null=True)),
                ('began_at', models.DateTimeField(auto_now_add=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('account', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='FailureTag',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('tag', models.CharField(max_length=40)),
                ('position', models.PositiveSmallIntegerField()),
                ('version', models.CharField(max_length=12)),
                ('attempt', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='tags', to='leaderboard.attempt')),
            ],
            options={
                'ordering': ['position'],
            },
        ),
        migrations.CreateModel(
            name='HumanLabel',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('try_number', models.PositiveSmallIntegerField()),
                ('passed', models.BooleanField()),
                ('words', models.CharField(blank=True, max_length=500)),
                ('created_at', models.DateTimeField(auto_now=True)),
                ('attempt', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='labels', to='leaderboard.attempt')),
                ('author', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='human_labels', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Judging',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('queued', 'queued'), ('running', 'running'), ('done', 'done'), ('stopped', 'stopped'), ('failed', 'failed')], default=runner.contract.JudgingState['QUEUED'], max_length=12)),
                ('problem', models.TextField(blank=True)),
                ('ceiling', models.BigIntegerField(blank=True, null=True)),
                ('ceiling_prices', models.JSONField(blank=True, default=dict)),
                ('spent', models.BigIntegerField(default=0)),
                ('forecast', models.JSONField(blank=True, default=dict)),
                ('reply_format', models.CharField(default='json_schema', max_length=12)),
                ('failures', models.PositiveSmallIntegerField(default=0)),
                ('token', models.UUIDField(default=uuid.uuid4)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('not_before', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('asked_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ('judge', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='judgings', to='leaderboard.judge')),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='JudgeVerdict',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('try_number', models.PositiveSmallIntegerField()),
                ('verdict', models.CharField(max_length=12)),
                ('criteria', models.JSONField(blank=True, default=list)),
                ('extra', models.JSONField(blank=True, default=dict)),
                ('reason', models.TextField(blank=True)),
                ('problem', models.TextField(blank=True)),
                ('raw', models.BinaryField(default=bytes)),
                ('replies', models.PositiveSmallIntegerField(default=0)),
                ('replied_as', models.CharField(blank=True, max_length=300)),
                ('prompt_tokens', models.PositiveBigIntegerField(blank=True, null=True)),
                ('completion_tokens', models.PositiveBigIntegerField(blank=True, null=True)),
                ('judged_at', models.DateTimeField(auto_now_add=True)),
                ('attempt', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='judge_verdicts', to='leaderboard.attempt')),
                ('judging', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='verdicts', to='leaderboard.judging')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='KeptAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=255)),
                ('request_digest', models.CharField(max_length=64)),
                ('status', models.PositiveSmallIntegerField(default=0)),
                ('location', models.CharField(blank=True, max_length=300)),
                ('body', models.BinaryField(default=bytes)),
                ('created_at', models.DateTimeField(db_index=True)),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='kept_answers', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='LedgerEntry',
            fields=[
                ('number', models.PositiveBigIntegerField(primary_key=True, serialize=False)),
                ('kind', models.CharField(max_length=40)),
                ('subject', models.CharField(blank=True, max_length=200)),
                ('actor', models.CharField(blank=True, max_length=160)),
                ('at', models.CharField(max_length=40)),
                ('payload_sha256', models.CharField(max_length=64)),
                ('chain', models.CharField(max_length=64)),
            ],
            options={
                'verbose_name_plural': 'ledger entries',
                'ordering': ['-number'],
                'indexes': [models.Index(fields=['kind', '-number'], name='ledger_kind')],
            },
        ),
        migrations.CreateModel(
            name='ModelPrice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('provider', models.CharField(blank=True, help_text='Such as openai, or a host; empty for every provider.', max_length=100)),
                ('model', models.CharField(help_text='As the endpoint calls it.', max_length=300)),
                ('valid_from', models.DateField(validators=[leaderboard.models.ledger.not_in_future])),
                ('prompt', models.DecimalField(decimal_places=6, max_digits=14, validators=[django.core.validators.MinValueValidator(Decimal('0'), 'A price cannot be negative.')])),
                ('cached', models.DecimalField(blank=True, decimal_places=6, help_text='Of prompt tokens read from a cache; empty where they cost the same.', max_digits=14, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0'), 'A price cannot be negative.')])),
                ('completion', models.DecimalField(decimal_places=6, max_digits=14, validators=[django.core.validators.MinValueValidator(Decimal('0'), 'A price cannot be negative.')])),
                ('reasoning', models.DecimalField(blank=True, decimal_places=6, help_text='Of reasoning tokens; empty where they cost the same as completion.', max_digits=14, null=True, validators=[django.core.validators.MinValueValidator(Decimal('0'), 'A price cannot be negative.')])),
                ('source', models.CharField(help_text='Where it was read, and when.', max_length=300)),
                ('stored_at', models.DateTimeField(auto_now=True)),
            ],
            options={
                'ordering': ['provider', 'model', '-valid_from'],
                'constraints': [models.UniqueConstraint(fields=('model', 'provider', 'valid_from'), name='price_once')],
            },
        ),
        migrations.CreateModel(
            name='NoticeWishes',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('webhook_url', models.CharField(blank=True, max_length=500)),
                ('encrypted_secret', models.BinaryField(blank=True, default=bytes)),
                ('site', models.CharField(blank=True, max_length=300)),
                ('wants_mail', models.BooleanField(default=False)),
                ('failures', models.PositiveSmallIntegerField(default=0)),
                ('since', models.DateTimeField(auto_now_add=True)),
                ('owner', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='notice_wishes', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='PublicChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('row added', 'Added'), ('row withdrawn', 'Withdrawn'), ('re-scored', 'Rescored'), ('suite changed', 'Suite'), ('prices changed', 'Prices'), ('erratum', 'Erratum')], max_length=20)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('run_number', models.PositiveBigIntegerField(blank=True, null=True)),
                ('suite', models.CharField(blank=True, max_length=120)),
                ('facts', models.JSONField(default=dict)),
                ('reason', models.CharField(blank=True, max_length=300)),
            ],
            options={
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['run_number', 'kind'], name='change_of_run')],
            },
        ),
        migrations.CreateModel(
            name='Rejudgement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('due', 'Due'), ('judged', 'Judged'), ('applied', 'Applied'), ('kept', 'Kept')], default='due', max_length=8)),
                ('taken_until', models.DateTimeField(blank=True, null=True)),
                ('before', models.BooleanField()),
                ('sentence_before', models.TextField(blank=True)),
                ('now', models.BooleanField(blank=True, null=True)),
                ('differs', models.BooleanField(db_default=False, default=False)),
                ('note', models.CharField(blank=True, max_length=500)),
                ('body', models.BinaryField(default=bytes)),
                ('judged_at', models.DateTimeField(blank=True, null=True)),
                ('attempt', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rejudgements', to='leaderboard.attempt')),
                ('erratum', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='rejudgements', to='leaderboard.erratum')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Ruling',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('kind', models.CharField(choices=[('verdict stands', 'Stands'), ('check wrong', 'Check Wrong'), ('task wrong', 'Task Wrong')], max_length=16)),
                ('words', models.TextField()),
                ('name', models.CharField(max_length=150)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('account', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='rulings', to=settings.AUTH_USER_MODEL)),
                ('dispute', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='rulings', to='leaderboard.dispute')),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.AddField(
            model_name='erratum',
            name='ruling',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='errata', to='leaderboard.ruling'),
        ),
        migrations.CreateModel(
            name='RunSeal',
            fields=[
                ('run', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='seal', serialize=False, to='leaderboard.run')),
                ('sha256', models.CharField(max_length=64)),
                ('statement', models.BinaryField(default=bytes)),
                ('is_stated', models.BooleanField(default=False)),
            ],
        ),
        migrations.AddField(
            model_name='run',
            name='entry',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='runs', to='leaderboard.entry'),
        ),
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('channel', models.CharField(choices=[('webhook', 'Webhook'), ('mail', 'Mail')], max_length=8)),
                ('event', models.CharField(max_length=30)),
                ('at', models.DateTimeField()),
                ('state', models.CharField(choices=[('due', 'Due'), ('sending', 'Sending'), ('sent', 'Sent'), ('failed', 'Failed')], default='due', max_length=8)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('not_before', models.DateTimeField(blank=True, null=True)),
                ('said', models.CharField(blank=True, max_length=300)),
                ('sent_at', models.DateTimeField(blank=True, null=True)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to=settings.AUTH_USER_MODEL)),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='leaderboard.run')),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.AddField(
            model_name='judging',
            name='reference',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='reference_of', to='leaderboard.run'),
        ),
        migrations.AddField(
            model_name='judging',
            name='run',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='judgings', to='leaderboard.run'),
        ),
        migrations.CreateModel(
            name='Import',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200)),
                ('report', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('blob', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='imports', to='leaderboard.blob')),
                ('run', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='imports', to='leaderboard.run')),
            ],
        ),
        migrations.AddField(
            model_name='attempt',
            name='run',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='attempts', to='leaderboard.run'),
        ),
        migrations.CreateModel(
            name='AccountUse',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('submission', 'Submission'), ('check', 'Check'), ('upload', 'Upload'), ('dispute', 'Dispute'), ('hand-session', 'Hand Session')], max_length=20)),
                ('size_bytes', models.PositiveBigIntegerField(default=0)),
                ('created_at', models.DateTimeField(auto_now_add=True, db_index=True)),
                ('owner', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='uses', to=settings.AUTH_USER_MODEL)),
                ('run', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='uses', to='leaderboard.run')),
            ],
        ),
        migrations.CreateModel(
            name='RunLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('run', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='link', to='leaderboard.run')),
            ],
        ),
        migrations.CreateModel(
            name='RunReview',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reasons', models.JSONField(default=list)),
                ('ruling', models.CharField(choices=[('open', 'Open'), ('cleared', 'Cleared'), ('upheld', 'Upheld')], default='open', max_length=12)),
                ('ruled_at', models.DateTimeField(blank=True, null=True)),
                ('found_at', models.DateTimeField(auto_now_add=True)),
                ('ruled_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ('run', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='review', to='leaderboard.run')),
            ],
        ),
        migrations.CreateModel(
            name='RunSummary',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('category', models.CharField(blank=True, max_length=40)),
                ('tasks', models.PositiveIntegerField(default=0)),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('passed', models.PositiveIntegerField(default=0)),
                ('failed', models.PositiveIntegerField(default=0)),
                ('void', models.PositiveIntegerField(default=0)),
                ('open', models.PositiveIntegerField(default=0)),
                ('rate', models.FloatField(default=0)),
                ('low', models.FloatField(default=0)),
                ('high', models.FloatField(default=1)),
                ('turns', models.FloatField(blank=True, null=True)),
                ('turns_solved', models.FloatField(blank=True, null=True)),
                ('prompt_tokens', models.PositiveBigIntegerField(blank=True, null=True)),
                ('completion_tokens', models.PositiveBigIntegerField(blank=True, null=True)),
                ('model_s', models.FloatField(default=0)),
                ('cell_s', models.FloatField(default=0)),
                ('wall_s', models.FloatField(default=0)),
                ('counts', models.JSONField(blank=True, default=dict)),
                ('usage', models.JSONField(blank=True, null=True)),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='summaries', to='leaderboard.run')),
            ],
        ),
        migrations.CreateModel(
            name='RunVerification',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('manifest_sha256', models.CharField(max_length=64)),
                ('report_sha256', models.CharField(blank=True, max_length=64)),
                ('is_equal', models.BooleanField()),
                ('attempts', models.PositiveIntegerField()),
                ('differences', models.JSONField(default=list)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='verifications', to=settings.AUTH_USER_MODEL)),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='verifications', to='leaderboard.run')),
            ],
            options={
                'ordering': ['-at'],
            },
        ),
        migrations.CreateModel(
            name='StatusChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('before', models.CharField(blank=True, max_length=12)),
                ('after', models.CharField(max_length=12)),
                ('reason', models.CharField(blank=True, max_length=300)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('attempt', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='status_changes', to='leaderboard.attempt')),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='status_changes', to='leaderboard.run')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Step',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('try_number', models.PositiveSmallIntegerField(default=1)),
                ('index', models.PositiveSmallIntegerField()),
                ('status', models.CharField(max_length=12)),
                ('error_name', models.CharField(blank=True, max_length=200)),
                ('prompt_tokens', models.PositiveBigIntegerField(blank=True, null=True)),
                ('completion_tokens', models.PositiveBigIntegerField(blank=True, null=True)),
                ('model_s', models.FloatField(default=0)),
                ('cell_s', models.FloatField(default=0)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('codec', models.CharField(default='zstd', max_length=8)),
                ('body', models.BinaryField()),
                ('attempt', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='steps', to='leaderboard.attempt')),
            ],
            options={
                'ordering': ['index'],
            },
        ),
        migrations.CreateModel(
            name='StepFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('path', models.CharField(max_length=1000)),
                ('kind', models.CharField(max_length=8)),
                ('size_bytes', models.PositiveBigIntegerField(default=0)),
                ('size_before_bytes', models.PositiveBigIntegerField(default=0)),
                ('blob', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='leaderboard.blob')),
                ('step', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='files', to='leaderboard.step')),
            ],
            options={
                'ordering': ['path'],
            },
        ),
        migrations.CreateModel(
            name='StepNote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('try_number', models.PositiveSmallIntegerField()),
                ('index', models.PositiveSmallIntegerField()),
                ('label', models.CharField(blank=True, max_length=40)),
                ('text', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('attempt', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notes', to='leaderboard.attempt')),
                ('author', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='step_notes', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['index', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Suite',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.SlugField(max_length=60)),
                ('version', models.CharField(max_length=40)),
                ('title', models.CharField(max_length=200)),
                ('description', models.TextField(blank=True)),
                ('digest', models.CharField(max_length=64)),
                ('seed', models.BigIntegerField()),
                ('past_seasons', models.JSONField(blank=True, default=list)),
                ('categories', models.JSONField(default=list)),
                ('limits', models.JSONField(default=dict)),
                ('environment', models.CharField(blank=True, max_length=64)),
                ('is_recorded', models.BooleanField(default=False)),
                ('is_private', models.BooleanField(db_default=False, default=False)),
                ('unavailable', models.JSONField(blank=True, default=list)),
                ('facets', models.JSONField(blank=True, default=dict)),
                ('installed_at', models.DateTimeField(auto_now_add=True)),
                ('changes', models.PositiveBigIntegerField(default=1)),
                ('placed_changes', models.PositiveBigIntegerField(default=0)),
                ('placings', models.PositiveBigIntegerField(db_default=0, default=0)),
                ('ranked', models.PositiveIntegerField(db_default=0, default=0)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('name', 'version'), name='suite_version')],
            },
        ),
        migrations.CreateModel(
            name='Standing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rank', models.PositiveIntegerField()),
                ('rank_low', models.PositiveIntegerField()),
                ('rank_high', models.PositiveIntegerField()),
                ('lead_needed', models.FloatField(null=True)),
                ('runs', models.JSONField(db_default=[], default=list)),
                ('not_shown', models.PositiveIntegerField(db_default=0, default=0)),
                ('incomplete', models.PositiveIntegerField(db_default=0, default=0)),
                ('computed_at', models.DateTimeField(auto_now=True)),
                ('run', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='standing', to='leaderboard.run')),
                ('suite', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='standings', to='leaderboard.suite')),
            ],
        ),
        migrations.AddField(
            model_name='run',
            name='suite',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='leaderboard.suite'),
        ),
        migrations.AddField(
            model_name='erratum',
            name='suite',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='errata', to='leaderboard.suite'),
        ),
        migrations.CreateModel(
            name='BoardSnapshot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('season', models.PositiveIntegerField()),
                ('seed', models.BigIntegerField()),
                ('day', models.DateField()),
                ('changes', models.PositiveBigIntegerField()),
                ('rows', models.PositiveIntegerField()),
                ('body', models.BinaryField()),
                ('facet_places', models.BinaryField(default=bytes)),
                ('ranked_changes', models.PositiveBigIntegerField(default=0)),
                ('is_by_leads', models.BooleanField(default=True)),
                ('ledger_number', models.PositiveBigIntegerField(default=0)),
                ('ledger_chain', models.CharField(blank=True, default='', max_length=64)),
                ('kept_at', models.DateTimeField(auto_now=True)),
                ('suite', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='snapshots', to='leaderboard.suite')),
            ],
            options={
                'ordering': ['-day', '-id'],
            },
        ),
        migrations.CreateModel(
            name='SuiteProof',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('facts', models.JSONField()),
                ('digest', models.CharField(max_length=64)),
                ('stored_at', models.DateTimeField(auto_now=True)),
                ('suite', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='proof', to='leaderboard.suite')),
            ],
        ),
        migrations.CreateModel(
            name='Task',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.SlugField(max_length=80)),
                ('position', models.PositiveIntegerField()),
                ('title', models.CharField(max_length=200)),
                ('category', models.CharField(max_length=40)),
                ('query', models.TextField()),
                ('language', models.CharField(default='en', max_length=12)),
                ('strength', models.CharField(default='content', max_length=12)),
                ('note', models.TextField(blank=True)),
                ('guessable', models.TextField(blank=True)),
                ('inputs', models.JSONField(default=list)),
                ('outputs', models.JSONField(default=list)),
                ('skills', models.JSONField(blank=True, default=list)),
                ('english', models.CharField(blank=True, max_length=200)),
                ('english_query', models.TextField(blank=True)),
                ('digest', models.CharField(max_length=64)),
                ('decided', models.PositiveIntegerField(default=0)),
                ('solved', models.PositiveIntegerField(default=0)),
                ('ranked', models.PositiveIntegerField(db_default=0, default=0)),
                ('rate', models.FloatField(db_default=0.0, default=0)),
                ('suite', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='tasks', to='leaderboard.suite')),
            ],
            options={
                'ordering': ['position'],
            },
        ),
        migrations.AddField(
            model_name='attempt',
            name='task',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='attempts', to='leaderboard.task'),
        ),
        migrations.CreateModel(
            name='TypedText',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('index', models.PositiveSmallIntegerField()),
                ('text', models.TextField()),
                ('is_answer', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('attempt', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='typed', to='leaderboard.attempt')),
            ],
            options={
                'ordering': ['index'],
            },
        ),
        migrations.CreateModel(
            name='Verdict',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('try_number', models.PositiveSmallIntegerField(default=1)),
                ('kind', models.CharField(default='strict', max_length=12)),
                ('check_version', models.CharField(max_length=64)),
                ('passed', models.BooleanField()),
                ('sentence', models.TextField(blank=True)),
                ('duration_s', models.FloatField(default=0)),
                ('body', models.BinaryField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('attempt', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='verdicts', to='leaderboard.attempt')),
            ],
        ),
        migrations.AddField(
            model_name='dispute',
            name='verdict',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='disputes', to='leaderboard.verdict'),
        ),
        migrations.CreateModel(
            name='WorkerPace',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('worker', models.CharField(max_length=120)),
                ('limit', models.PositiveSmallIntegerField()),
                ('highest', models.PositiveSmallIntegerField()),
                ('reason', models.CharField(blank=True, max_length=12)),
                ('changed_at', models.DateTimeField(auto_now=True)),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='paces', to='leaderboard.run')),
            ],
        ),
        migrations.CreateModel(
            name='RecordedAttempt',
            fields=[
                ('attempt', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='recording', serialize=False, to='leaderboard.attempt')),
                ('body', models.BinaryField()),
                ('after_step', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('then', models.CharField(blank=True, db_default='', default='', max_length=8)),
                ('parent', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='forks', to='leaderboard.attempt')),
            ],
        ),
        migrations.AddIndex(
            model_name='blob',
            index=models.Index(condition=models.Q(('preview__isnull', True)), fields=['mime'], name='blob_unopened'),
        ),
        migrations.AddIndex(
            model_name='blob',
            index=models.Index(condition=models.Q(('unreferenced_since__isnull', False)), fields=['unreferenced_since'], name='blob_garbage'),
        ),
        migrations.AddIndex(
            model_name='entry',
            index=models.Index(fields=['provenance'], name='entry_provenance'),
        ),
        migrations.AddIndex(
            model_name='failuretag',
            index=models.Index(fields=['tag', 'position'], name='leaderboard_tag_d749d8_idx'),
        ),
        migrations.AddConstraint(
            model_name='failuretag',
            constraint=models.UniqueConstraint(fields=('attempt', 'tag'), name='tag_once'),
        ),
        migrations.AddConstraint(
            model_name='humanlabel',
            constraint=models.UniqueConstraint(fields=('attempt', 'author'), name='human_label_once'),
        ),
        migrations.AddConstraint(
            model_name='judgeverdict',
            constraint=models.UniqueConstraint(fields=('judging', 'attempt'), name='judge_verdict_once'),
        ),
        migrations.AddConstraint(
            model_name='keptanswer',
            constraint=models.UniqueConstraint(fields=('user', 'key'), name='one_answer_per_key'),
        ),
        migrations.AddIndex(
            model_name='rejudgement',
            index=models.Index(condition=models.Q(('state', 'due')), fields=['id'], name='rejudgement_due'),
        ),
        migrations.AddIndex(
            model_name='rejudgement',
            index=models.Index(fields=['erratum', '-differs', '-id'], name='rejudgement_listed'),
        ),
        migrations.AddConstraint(
            model_name='rejudgement',
            constraint=models.UniqueConstraint(fields=('erratum', 'attempt'), name='rejudged_once'),
        ),
        migrations.AddConstraint(
            model_name='ruling',
            constraint=models.UniqueConstraint(fields=('dispute', 'number'), name='one_ruling_a_number'),
        ),
        migrations.AddIndex(
            model_name='runseal',
            index=models.Index(condition=models.Q(('is_stated', False)), fields=['run'], name='seal_unstated'),
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(condition=models.Q(('state', 'due')), fields=['owner', 'id'], name='notice_due'),
        ),
        migrations.AddConstraint(
            model_name='notice',
            constraint=models.UniqueConstraint(fields=('run', 'channel', 'at'), name='one_notice_per_end'),
        ),
        migrations.AddConstraint(
            model_name='judging',
            constraint=models.UniqueConstraint(fields=('run', 'judge'), name='judging_once'),
        ),
        migrations.AddIndex(
            model_name='accountuse',
            index=models.Index(fields=['owner', 'kind', 'created_at'], name='use_of_account'),
        ),
        migrations.AddConstraint(
            model_name='runsummary',
            constraint=models.UniqueConstraint(fields=('run', 'category'), name='summary_once'),
        ),
        migrations.AddConstraint(
            model_name='runverification',
            constraint=models.UniqueConstraint(fields=('run', 'account', 'manifest_sha256', 'is_equal'), name='verified_once'),
        ),
        migrations.AddConstraint(
            model_name='step',
            constraint=models.UniqueConstraint(fields=('attempt', 'try_number', 'index'), name='step_once'),
        ),
        migrations.AddIndex(
            model_name='standing',
            index=models.Index(fields=['suite', 'rank', 'run'], name='standing_best'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(fields=['suite', 'status'], name='leaderboard_suite_i_2ed591_idx'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(condition=models.Q(('is_filed', False)), fields=['id'], name='run_unfiled'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(condition=models.Q(('is_sealed', False)), fields=['id'], name='run_unsealed'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(condition=models.Q(('is_filed', False)), fields=['suite', 'seed'], name='run_of_board_unfiled'),
        ),
        migrations.AddConstraint(
            model_name='boardsnapshot',
            constraint=models.UniqueConstraint(fields=('suite', 'season', 'day'), name='snapshot_once'),
        ),
        migrations.AddConstraint(
            model_name='task',
            constraint=models.UniqueConstraint(fields=('suite', 'key'), name='task_key'),
        ),
        migrations.AddIndex(
            model_name='attempt',
            index=models.Index(condition=models.Q(('status', 'running')), fields=['lease_until'], name='attempt_running'),
        ),
        migrations.AddIndex(
            model_name='attempt',
            index=models.Index(condition=models.Q(('status', 'queued')), fields=['run', 'id'], name='attempt_queued'),
        ),
        migrations.AddIndex(
            model_name='attempt',
            index=models.Index(condition=models.Q(('status', 'done')), fields=['passed', 'run', 'task', 'outcome', 'turns', 'first_failed_step', 'tag_list', 'error_list', 'id'], name='attempt_facets'),
        ),
        migrations.AddIndex(
            model_name='attempt',
            index=models.Index(fields=['task', '-run', 'number'], name='attempt_of_task'),
        ),
        migrations.AddConstraint(
            model_name='attempt',
            constraint=models.UniqueConstraint(fields=('run', 'task', 'number'), name='attempt_once'),
        ),
        migrations.AddConstraint(
            model_name='typedtext',
            constraint=models.UniqueConstraint(fields=('attempt', 'index'), name='typed_once'),
        ),
        migrations.AddIndex(
            model_name='verdict',
            index=models.Index(fields=['attempt', 'kind', '-id'], name='verdict_newest'),
        ),
        migrations.AddIndex(
            model_name='dispute',
            index=models.Index(fields=['state', '-id'], name='dispute_state'),
        ),
        migrations.AddConstraint(
            model_name='dispute',
            constraint=models.UniqueConstraint(fields=('account', 'verdict', 'assertion'), name='dispute_once'),
        ),
        migrations.AddConstraint(
            model_name='workerpace',
            constraint=models.UniqueConstraint(fields=('run', 'worker'), name='one_pace_per_worker_and_run'),
        ),
        migrations.RunPython(index_texts, migrations.RunPython.noop),
        migrations.RunPython(keep_ledger, migrations.RunPython.noop),
    ]
