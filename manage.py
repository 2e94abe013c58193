#!/usr/bin/env python
"""Django's command line."""

import os
import sys

from pybench_site.command_line import run

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pybench_site.settings")
    run(sys.argv)
