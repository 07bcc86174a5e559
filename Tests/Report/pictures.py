#!/usr/bin/env python3
"""Takes pictures of reports as they look on a desktop and on a phone, light and dark, and on paper.

Usage: pictures.py FOLDER REPORT.html...
"""

import pathlib
import sys

from browser import browser

SIZES = {"desktop": 1280, "phone": 390}


def main(folder, reports):
    with browser() as page:
        for report in map(pathlib.Path, reports):
            for size, width in SIZES.items():
                for scheme in ("light", "dark"):
                    page.show_as(width, dark=scheme == "dark")
                    page.open(report.resolve())
                    picture = pathlib.Path(folder) / f"{report.stem}-{size}-{scheme}.png"
                    picture.write_bytes(page.screenshot())


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
