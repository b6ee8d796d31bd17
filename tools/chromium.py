"""The Chromium of this machine, which tests drive and benchmarks measure."""

import shutil

# The shell is Chromium without its windows, which take a third of a test's processor time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium_program() -> str | None:
    """The path of the first program of NAMES that is on PATH, None if none is."""
    return next(filter(None, map(shutil.which, NAMES)), None)
