"""Find a Chromium for the tests, or install one; `python -m tests.tools.chromium` prints where it is."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

# The same browser without its windows: a page opens with half of the processor time.
WITHOUT_WINDOWS = "chromium-headless-shell"
COMMANDS = (WITHOUT_WINDOWS, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Chromium keeps the last of such lists alone, so that Playwright's own names are here again; the last ones are two
# hidden pages of the address bar, which cost as much with each new window as a page under test does.
FEATURES_OFF = (
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "LensOverlay"),
    *("MediaRouter", "OptimizationHints", "PaintHolding"),
    *("AimEnabled", "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"),
)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",  # letters as wide as a window of Chromium draws them
    "--no-first-run",
    f"--disable-features={','.join(FEATURES_OFF)}",
]
MISSING = """\
The browser tests need Chromium, and none could be found or installed.
Install it with your system's package manager (Debian: apt install chromium), or run
`.venv/bin/python -m playwright install chromium` where its download server can be reached,
or set CHROMIUM to the path of a Chromium or Chrome that is there."""


def find() -> str | None:
    """The path of a Chromium that starts: the one CHROMIUM names, the system's, or Playwright's own."""
    looked_for = (os.environ.get("CHROMIUM"), *map(shutil.which, COMMANDS))
    return next((path for path in looked_for if path and _starts(path)), None) or _playwrights_own()


def install() -> str | None:
    """Get one: from Debian's packages where this process may, from Playwright otherwise, if there is none at all."""
    for commands in (_from_debian(WITHOUT_WINDOWS), _from_debian("chromium"), _from_playwright()):
        _run(commands)
        if path := find():
            return path
    return None


def is_quick(path: str) -> bool:
    """Whether there is no point in looking for another: it has no windows, or somebody chose it."""
    return Path(path).name == WITHOUT_WINDOWS or path == os.environ.get("CHROMIUM")


def _run(commands: list[list[str]]) -> None:
    for command in commands:
        if subprocess.run(command, check=False).returncode != 0:
            return


def _starts(path: str) -> bool:
    try:
        return subprocess.run([path, "--version"], capture_output=True, timeout=30, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _playwrights_own() -> str | None:
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() and _starts(path) else None


def _from_debian(package: str) -> list[list[str]]:
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return []
    apt = ["apt-get", "-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=15"]
    return [[*apt, "update", "-q"], [*apt, "install", "-qy", "--no-install-recommends", package]]


def _from_playwright() -> list[list[str]]:
    with_libraries = ["--with-deps"] if os.geteuid() == 0 and shutil.which("apt-get") else []
    return [[sys.executable, "-m", "playwright", "install", *with_libraries, "chromium"]]


if __name__ == "__main__":
    found = find()
    if found is None or not is_quick(found):
        found = install()
    if found is None:
        sys.exit(MISSING)
    print(f"Chromium: {found}")
