"""Makes the pictures of the documents again (`make pictures`).

dashboard.svg and languages.svg are what a real terminal shows of a real daemon; report.png is a page as Chromium shows
it. To be run in a mount namespace of its own: the apps on the dashboard are put in the place of /usr/local/bin.
"""

import argparse
import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
PROJECT = TESTS.parent
sys.path.insert(0, str(TESTS / "Report"))

import drive  # noqa: E402
from browser import browser  # noqa: E402
from terminal_picture import picture  # noqa: E402

COLUMNS, ROWS = 100, 30
#: The length of the drive in the report, in seconds, and how much of the page is shown, in pixels.
SECONDS, REPORT_SIZE = 1800, (1100, 1100)
#: The apps on the dashboard, each a copy of locationctl: its name, its decision, and its request.
APPS = [
    ("maps", ["grant"], ["watch"]),
    ("weather", ["grant", "--reduced"], ["watch", "--desired-accuracy", "reduced"]),
    ("tracker", ["grant", "--always"], ["watch", "--distance-filter", "50"]),
    ("flashlight", ["deny"], None),
]
APPS_FOLDER = Path("/usr/local/bin")
#: The languages of the prompt in languages.svg, and the size of its window.
LANGUAGES, PROMPT_COLUMNS, PROMPT_ROWS = ["de", "fr", "uk", "zh_CN", "ja"], 80, 20
#: In seconds.
DEADLINE = 120


def wait_until(condition, what):
    """Waits for a condition. Ends the program if it does not come about in time."""
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.2)
    sys.exit(f"waited for {what} for {DEADLINE} s")


class Scene:
    """A private daemon with some apps, and a terminal with the dashboard."""

    def __init__(self, programs, folder):
        self.programs = programs
        self.folder = folder
        self.environment = os.environ | {
            "LOCATIOND_RUNTIME_DIRECTORY": f"{folder}/run", "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
        }
        self.running = []
        (folder / "bin").mkdir()
        subprocess.run(["mount", "--bind", folder / "bin", APPS_FOLDER], check=True)

    def start(self, *command):
        self.running.append(subprocess.Popen(
            command, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    def ctl(self, *arguments):
        return subprocess.run(
            [self.programs / "locationctl", *arguments], env=self.environment, capture_output=True, text=True)

    def app(self, name):
        return APPS_FOLDER / name

    def open(self):
        (self.folder / "locationd.toml").touch()
        self.start(
            self.programs / "locationd", "--runtime-directory", f"{self.folder}/run",
            "--state-directory", f"{self.folder}/state", "--config", f"{self.folder}/locationd.toml",
            "--receiver", "simulated", "--log-level", "warning")
        wait_until(lambda: self.ctl("status").returncode == 0, "the daemon")
        own = json.loads(self.ctl("status", "--json").stdout)["app"]
        self.ctl("grant", own)
        for name, decision, request in APPS:
            shutil.copy2(self.programs / "locationctl", self.app(name))
            self.ctl(*decision, f"exe:{self.app(name)}")
            if request:
                self.start(self.app(name), *request)

    def tmux(self, *arguments):
        return subprocess.run(
            ["tmux", "-S", f"{self.folder}/tmux", "-f", "/dev/null", *arguments], env=self.environment, check=True,
            capture_output=True, text=True).stdout

    def dashboard(self):
        """The lines of the dashboard, once it shows a fix and every app."""
        self.tmux("new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS),
                  f"{self.programs}/locationctl dashboard")
        def is_complete():
            text = self.tmux("capture-pane", "-p")
            return all(name in text for name, _, _ in APPS) and "°" in text
        wait_until(is_complete, "the dashboard")
        # The strips and the sky fill while the receiver runs.
        time.sleep(20)
        return self.tmux("capture-pane", "-e", "-p").splitlines()

    def install(self):
        """The path of a locationctl with its catalogues, and the variables of a session with a locale."""
        program = self.folder / "installed/bin/locationctl"
        program.parent.mkdir(parents=True)
        shutil.copy2(self.programs / "locationctl", program)
        for language in LANGUAGES:
            messages = self.folder / f"installed/share/locale/{language}/LC_MESSAGES"
            messages.mkdir(parents=True)
            texts = PROJECT / f"data/po/{language}.po"
            subprocess.run(["msgfmt", "-o", messages / "locationctl.mo", texts], check=True)
        locales = self.folder / "locales"
        locales.mkdir()
        subprocess.run(["localedef", "-i", "en_US", "-f", "UTF-8", locales / "en_US.UTF-8"], check=True)
        return program, f"LOCPATH={locales} LC_ALL=en_US.UTF-8"

    def prompts(self):
        """The lines of an app's prompt in each of the languages."""
        program, session = self.install()
        shutil.copy2(program, self.app("compass"))
        self.start(self.app("compass"), "watch")
        lines = []
        for language in LANGUAGES:
            self.tmux("new-session", "-d", "-s", language, "-x", str(PROMPT_COLUMNS), "-y", str(PROMPT_ROWS),
                      f"env {session} LANGUAGE={language} {program} agent")
            wait_until(lambda: "[n]" in self.tmux("capture-pane", "-p", "-t", language), f"the prompt, {language}")
            lines += self.tmux("capture-pane", "-e", "-p", "-t", language).rstrip().splitlines() + [""]
        return lines[:-1]

    def close(self):
        subprocess.run(["tmux", "-S", f"{self.folder}/tmux", "kill-server"], capture_output=True)
        for process in self.running:
            process.terminate()
        for process in self.running:
            process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=Path, help="the folder with the programs")
    parser.add_argument("pictures", type=Path, help="the folder for the pictures")
    arguments = parser.parse_args()
    programs, pictures = arguments.programs.resolve(), arguments.pictures.resolve()
    pictures.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="demo-"))
    scene = Scene(programs, folder)
    try:
        scene.open()
        lines = scene.dashboard()
        (pictures / "dashboard.svg").write_text(picture(lines, COLUMNS))
        (pictures / "languages.svg").write_text(picture(scene.prompts(), PROMPT_COLUMNS))
        log, page = folder / "drive.nmea", folder / "report.html"
        drive.write(log, SECONDS)
        subprocess.run([programs / "locationctl", "report", log, "-o", page], check=True)
        with browser() as window:
            window.show_as(*REPORT_SIZE)
            window.open(page)
            clip = {"x": 0, "y": 0, "width": REPORT_SIZE[0], "height": REPORT_SIZE[1], "scale": 1}
            shown = window.develop("Page.captureScreenshot", format="png", clip=clip)
            (pictures / "report.png").write_bytes(base64.b64decode(shown["data"]))
    finally:
        scene.close()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
