"""An index of trigrams for the searched text: a table of SQLite's FTS5, or pg_trgm's on the column.

On SQLite, whatever rebuilds the table of texts must make the three triggers again.
"""

from django.db import DatabaseError, migrations, transaction

TABLE = "leaderboard_attempttext"
INDEX = f"{TABLE}_index"
REMOVE = f"INSERT INTO {INDEX}({INDEX}, rowid, body) VALUES ('delete', old.id, old.body);"
ADD = f"INSERT INTO {INDEX}(rowid, body) VALUES (new.id, new.body);"
SQLITE = (
    f"CREATE VIRTUAL TABLE {INDEX} USING fts5("
    f"body, content='{TABLE}', content_rowid='id', tokenize='trigram')",
    f"CREATE TRIGGER {INDEX}_added AFTER INSERT ON {TABLE} BEGIN {ADD} END",
    f"CREATE TRIGGER {INDEX}_removed AFTER DELETE ON {TABLE} BEGIN {REMOVE} END",
    f"CREATE TRIGGER {INDEX}_changed AFTER UPDATE ON {TABLE} BEGIN {REMOVE} {ADD} END",
    f"INSERT INTO {INDEX}({INDEX}) VALUES ('rebuild')",
)
POSTGRESQL = (
    "CREATE EXTENSION IF NOT EXISTS pg_trgm",
    f"CREATE INDEX {INDEX} ON {TABLE} USING gin (UPPER(body) gin_trgm_ops)",
)


def make(apps, schema_editor):
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            for statement in SQLITE:
                cursor.execute(statement)
            return
        try:
            with transaction.atomic(using=connection.alias):
                for statement in POSTGRESQL:
                    cursor.execute(statement)
        except DatabaseError:
            # Without the extension, or the right to add it, a search reads every text.
            pass


def drop(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        if schema_editor.connection.vendor == "sqlite":
            for trigger in ("added", "removed", "changed"):
                cursor.execute(f"DROP TRIGGER {INDEX}_{trigger}")
            cursor.execute(f"DROP TABLE {INDEX}")
        else:
            cursor.execute(f"DROP INDEX IF EXISTS {INDEX}")


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0004_recordings")]
    operations = [migrations.RunPython(make, drop)]
