"""Chromium, driven through its WebDriver: JSON over HTTP."""

import base64
import contextlib
import json
import re
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request


def _free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Failed(Exception):
    """The browser has refused a command."""


class Browser:
    """A headless Chromium with one window."""

    def __init__(self, port):
        self._base = f"http://127.0.0.1:{port}"
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]}
        capabilities = {
            "browserName": "chrome", "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }
        value = self._call("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self._base += f"/session/{value['sessionId']}"

    def _call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self._base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=300) as reply:
                return json.load(reply)["value"]
        except urllib.error.HTTPError as error:
            raise Failed(json.load(error)["value"]["message"]) from None

    def close(self):
        self._call("DELETE", "")

    def open(self, path):
        self._call("POST", "/url", {"url": f"file://{path}"})

    def run(self, script, *arguments):
        """Returns what the body of a function returns in the page."""
        return self._call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def develop(self, command, **parameters):
        """Sends a command of the DevTools protocol."""
        return self._call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def show_as(self, width, height=900, dark=False, medium="", script=True):
        """Sets the size of the screen, the colour scheme, the medium, and whether scripts run."""
        self.develop(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
            mobile=width < 600)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.develop("Emulation.setEmulatedMedia", media=medium, features=[scheme])
        self.develop("Emulation.setScriptExecutionDisabled", value=not script)

    def screenshot(self):
        """Returns the whole page as a PNG."""
        picture = self.develop("Page.captureScreenshot", captureBeyondViewport=True, format="png")
        return base64.b64decode(picture["data"])

    def pages(self):
        """Returns the number of pages of the page on letter paper."""
        paper = base64.b64decode(self.develop("Page.printToPDF", printBackground=True)["data"])
        return len(re.findall(rb"/Type\s*/Page\b", paper))

    def mouse(self, kind, x, y, **more):
        self.develop("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def messages(self):
        """Returns what the page has written to the console since the last call."""
        return self._call("POST", "/se/log", {"type": "browser"})

    def requests(self):
        """Returns the addresses that the page has requested since the last call."""
        events = [json.loads(entry["message"])["message"] for entry in
                  self._call("POST", "/se/log", {"type": "performance"})]
        return [event["params"]["request"]["url"] for event in events
                if event["method"] == "Network.requestWillBeSent"]


@contextlib.contextmanager
def browser():
    """A browser for the duration of a `with` statement."""
    port = _free_port()
    with tempfile.TemporaryFile() as log:
        driver = subprocess.Popen(["chromedriver", f"--port={port}"], stdout=log, stderr=log)
        try:
            deadline = time.monotonic() + 120
            while True:
                try:
                    opened = Browser(port)
                    break
                except OSError:
                    if time.monotonic() > deadline or driver.poll() is not None:
                        raise
                    time.sleep(0.1)
            try:
                yield opened
            finally:
                opened.close()
        finally:
            driver.terminate()
            driver.wait()
