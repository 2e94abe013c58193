"""Addresses of those who browse: comparisons, entries and charts."""

from django.urls import path

from leaderboard.views import compare, data, entries, tasks, twins

urlpatterns = [
    path("models/<slug:slug>/", entries.entry, name="entry"),
    path("models/<slug:slug>.json", entries.entry_json, name="entry-json"),
    path("runs/<int:run_id>.json", twins.run_json, name="run-json"),
    path("tasks/<slug:suite>/<slug:key>.json", twins.task_json, name="task-json"),
    path("tasks/<slug:suite>.json", tasks.task_list_json, name="tasks-json"),
    path("tasks/<slug:suite>.csv", tasks.task_list_csv, name="tasks-csv"),
    path("charts/", data.charts, name="charts"),
    path("charts/list/", data.chart_list, name="chart-list"),
    path("charts/<slug:key>.json", data.chart_json, name="chart-json"),
    path("charts/<slug:key>.csv", data.chart_csv, name="chart-csv"),
    path("compare/", compare.compare, name="compare"),
    path("compare.json", compare.compare_json, name="compare-json"),
    path("compare.csv", compare.compare_csv, name="compare-csv"),
]
