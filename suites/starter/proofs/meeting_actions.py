# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "csv-module": {
        "why": "written by the csv module with every field in quotes and a byte-order mark; answers with a list",
        "edits": {
            'result.to_csv("output/actions.csv", index=False)': """import csv

with open("output/actions.csv", "w", newline="", encoding="utf-8-sig") as stream:
    writer = csv.writer(stream, quoting=csv.QUOTE_ALL)
    writer.writerow(["id", "owner", "due", "task"])
    writer.writerows(result[["id", "owner", "due", "task"]].values.tolist())""",
        },
        "answer": "All open items are in **output/actions.csv**, sorted by due date.",
    },
    "numbers-sorted": {
        "why": "sorts equal dates by the number within the id",
        "edits": {
            'sort_values(["due", "id"])': 'assign(n=lambda d: d["id"].str[2:].astype(int)).sort_values(["due", "n"]).drop(columns="n")'
        },
    },
    "crlf": {
        "why": "line ends of Windows, an answer that says how many",
        "edits": {
            '"output/actions.csv", index=False': '"output/actions.csv", index=False, lineterminator="\\r\\n"'
        },
        "answer": "Found the open items and saved them.",
    },
    "all-quoted": {
        "why": "every field in quotes, line ends of Windows",
        "edits": {
            'result.to_csv("output/actions.csv", index=False)': 'result.to_csv("output/actions.csv", index=False, quoting=2, lineterminator="\\r\\n")'
        },
    },
}
NEAR_MISSES = {
    "midnights": {
        "why": "dates with a midnight",
        "edits": {"result.to_csv(": 'result["due"] += " 00:00:00"\nresult.to_csv('},
    },
    "by-id": {
        "why": "sorts by id alone",
        "edits": {'sort_values(["due", "id"])': 'sort_values("id")'},
    },
    "month-first": {
        "why": "reads dates with slashes as month/day where that is a date",
        "edits": {
            'for form in ("%Y-%m-%d", "%d/%m/%Y",': 'for form in ("%Y-%m-%d", "%m/%d/%Y", "%d/%m/%Y",'
        },
    },
    "handed-over-ignored": {
        "why": "keeps the first owner",
        "edits": {'items[found[1]]["owner"] = found[2]': "pass"},
    },
    "columns-exchanged": {
        "why": "owner and task exchanged",
        "edits": {
            '"owner": owner, "due": to_date(due), "task": task': '"owner": task, "due": to_date(due), "task": owner'
        },
    },
    "german-dates": {
        "why": "dates as day.month.year",
        "edits": {
            "result.to_csv(": 'result["due"] = pd.to_datetime(result["due"]).dt.strftime("%d.%m.%Y")\nresult.to_csv('
        },
    },
    "done-kept": {
        "why": "keeps what is done",
        "edits": {"del items[found[1] or found[2]]": "items.pop(found[2], None)"},
    },
    "full-stops": {
        "why": "ends every task with a full stop",
        "edits": {"result.to_csv(": 'result["task"] += "."\nresult.to_csv('},
    },
    "latest-first": {
        "why": "latest due date first",
        "edits": {'sort_values(["due", "id"])': 'sort_values(["due", "id"], ascending=False)'},
    },
    "dates-not-moved": {
        "why": "keeps the first dates",
        "edits": {'items[found[1]]["due"] = to_date(found[2])': "pass"},
    },
    "year-before": {
        "why": "the year before",
        "edits": {
            "result.to_csv(": 'result["due"] = (pd.to_datetime(result["due"]) - pd.DateOffset(years=1)).dt.strftime("%Y-%m-%d")\nresult.to_csv('
        },
    },
    "owners-shifted": {
        "why": "each item with the next one's owner",
        "edits": {
            "result.to_csv(": 'result["owner"] = result["owner"].tolist()[1:] + result["owner"].tolist()[:1]\nresult.to_csv('
        },
    },
    "with-a-time-zone": {
        "why": "a date with its time zone",
        "edits": {"result.to_csv(": 'result["due"] = result["due"] + "T00:00:00Z"\nresult.to_csv('},
    },
    "upper-case-tasks": {
        "why": "tasks begin with a capital, unlike the minutes",
        "edits": {
            "result.to_csv(": 'result["task"] = result["task"].str.capitalize()\nresult.to_csv('
        },
    },
    "by-id-then-date": {
        "why": "sorts by id before the due date",
        "edits": {'sort_values(["due", "id"])': 'sort_values(["id", "due"])'},
    },
}
