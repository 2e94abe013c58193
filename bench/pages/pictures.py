"""Takes the README's pictures from a running site: `python -m bench.pages.pictures URL`.

Of the board, and of the first attempt that the baseline *Clumsy* failed, as a visitor without an
account sees them.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"
CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
WIDTH, HEIGHT = 1280, 720
FAILURES = "/failures/?state=failed&baselines=1&entry=scripted-clumsy"
FAILED_ATTEMPT = "main table a[href*='/tasks/']"


def take(page: Page, site: str) -> None:
    page.goto(f"{site}/")
    page.screenshot(path=FOLDER / "board.png")
    page.goto(f"{site}{FAILURES}")
    page.locator(FAILED_ATTEMPT).first.click()
    page.wait_for_load_state()
    page.screenshot(path=FOLDER / "replay.png")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.pages.pictures", description=__doc__)
    parser.add_argument("site", help="such as http://127.0.0.1:8000")
    site = parser.parse_args().site.rstrip("/")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
            take(page, site)
        finally:
            browser.close()
    for picture in sorted(FOLDER.iterdir()):
        print(f"{picture.name}: {picture.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
