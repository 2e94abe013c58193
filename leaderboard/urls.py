"""Addresses of the pages: never reused, never broken."""

from django.urls import include, path, register_converter
from django.urls.converters import StringConverter

from leaderboard.views import board, files, pages, replays, runs, tasks, tokens


class Sha256Converter(StringConverter):
    """A content's digest, in lower case."""

    regex = "[0-9a-f]{64}"


register_converter(Sha256Converter, "sha256")

urlpatterns = [
    path("", board.board, name="board"),
    path("board.json", board.board_json, name="board-json"),
    path("board.csv", board.board_csv, name="board-csv"),
    path("runs/<int:run_id>/", runs.run, name="run"),
    path("runs/<int:run_id>/progress/", runs.run_progress, name="run-progress"),
    path("runs/<int:run_id>/tasks/<slug:key>/", replays.replay, name="replay"),
    path("tasks/", tasks.newest_tasks, name="newest-tasks"),
    path("tasks/<slug:suite>/", tasks.task_list, name="tasks"),
    path("tasks/<slug:suite>/<slug:key>/", tasks.task, name="task"),
    path("", include("leaderboard.inspect_urls")),
    path("files/<sha256:sha256>/<str:name>", files.file, name="file"),
    path("", include("leaderboard.browse_urls")),
    path("api/v1/", include("leaderboard.api.urls")),
    path("account/tokens/", tokens.tokens, name="tokens"),
    path("account/tokens/<int:token_id>/revoke/", tokens.revoke, name="revoke-token"),
    path("", include("leaderboard.submit_urls")),
    path("about/method/", pages.method, name="method"),
]
