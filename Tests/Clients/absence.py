"""Firefox on a machine without a receiver."""

from bus import PrivateBus
from firefox import Browser
from programs import Running, is_installed
from waiting import until

CONFIGURATION = """\
discover = false
in-use = "connected"
[geoclue]
enabled = true
"""


def run(binaries, folder, say):
    """Returns whether a page gets an answer, that the position is unavailable, instead of waiting."""
    if not is_installed("firefox-esr"):
        say("  firefox-esr is not installed")
        return False
    folder = folder / "absence"
    folder.mkdir()
    file = folder / "locationd.toml"
    file.write_text(CONFIGURATION)
    bus = PrivateBus(folder)
    daemon = Running(
        [binaries / "locationd", "--config", file, "--runtime-directory", folder / "run", "--state-directory",
         folder / "state"], folder, bus.environment)
    browser = None
    try:
        until(lambda: "are served" in daemon.text(), lambda: f"locationd: {daemon.text()}")
        browser = Browser(folder, bus.environment)

        def answer():
            return next((line for line in browser.seen if line.startswith("get ")), None)
        until(answer, lambda: f"the page's answer: {browser.text()}{daemon.text()}")
        say(f"  {answer()}")
        # POSITION_UNAVAILABLE of the Geolocation specification. A denial would be 1, a timeout 3.
        return answer().startswith("get error 2")
    finally:
        for running in (browser, daemon, bus):
            if running:
                running.stop()
