"""The peer: the board's rows in a Gradio table, as boards are usually shown.

Runs with the Python of an environment of its own. Reads {"headers": [...], "types": [...], "rows":
[[...], ...]} from the file named first and serves the table at the port named second.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import gradio  # type: ignore[import-not-found, unused-ignore]
import pandas


def main() -> None:
    table = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    frame = pandas.DataFrame(table["rows"], columns=table["headers"])
    with gradio.Blocks(title="Board") as page:
        gradio.Markdown("# Board")
        gradio.Dataframe(frame, datatype=table["types"], interactive=False)
    page.launch(server_name="127.0.0.1", server_port=int(sys.argv[2]), quiet=True)


if __name__ == "__main__":
    main()
