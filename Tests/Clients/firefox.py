"""Firefox, driven through its Marionette protocol: a length, a colon, and JSON."""

import http.server
import itertools
import json
import socket
import threading
import time

from programs import Running
from waiting import until

_numbers = itertools.count()
PREFERENCES = {
    "permissions.default.geo": 1, "geo.provider.use_geoclue": True, "geo.provider.network.url": "",
    "geo.provider.testing": False, "app.update.enabled": False, "browser.shell.checkDefaultBrowser": False,
    "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
    "toolkit.telemetry.enabled": False, "browser.aboutwelcome.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
}
# The page writes down what it gets; it asks once, and then watches.
PAGE = b"""<!doctype html><title>Where</title><ul></ul><script>
const write = line => document.querySelector("ul").append(
  Object.assign(document.createElement("li"), {textContent: line}))
const show = kind => place => write(`${kind} ${place.coords.latitude} ${place.coords.longitude}`)
const fail = kind => error => write(`${kind} error ${error.code} ${error.message}`)
const options = {enableHighAccuracy: true}
navigator.geolocation.getCurrentPosition(show("get"), fail("get"), options)
navigator.geolocation.watchPosition(show("watch"), fail("watch"), options)
</script>"""


class _Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_):
        pass


class _Marionette:
    """A connection to a browser."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), 60)
        self.pending, self.number = b"", 0
        self._read()

    def _read(self):
        while b":" not in self.pending:
            self._more()
        length, _, rest = self.pending.partition(b":")
        while len(rest) < int(length):
            self._more()
            rest = self.pending.partition(b":")[2]
        self.pending = rest[int(length):]
        return json.loads(rest[:int(length)])

    def _more(self):
        data = self.socket.recv(65536)
        if not data:
            raise ConnectionError("Firefox has closed the connection")
        self.pending += data

    def call(self, command, parameters):
        """Returns the result of a command."""
        self.number += 1
        message = json.dumps([0, self.number, command, parameters]).encode()
        self.socket.sendall(str(len(message)).encode() + b":" + message)
        _, _, error, result = self._read()
        if error:
            raise RuntimeError(f"{command}: {error}")
        return result


class Browser:
    """A browser with a page that asks where it is. Its text is what the page has written down."""

    def __init__(self, folder, environment):
        self.home = folder / f"firefox-{next(_numbers)}"
        profile = self.home / "profile"
        profile.mkdir(parents=True)
        with socket.socket() as bound:
            bound.bind(("127.0.0.1", 0))
            port = bound.getsockname()[1]
        preferences = PREFERENCES | {"marionette.port": port}
        (profile / "user.js").write_text(
            "".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in preferences.items()))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Page)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.program = Running(
            ["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", profile], folder,
            environment | {"HOME": str(self.home)})
        self.seen, self.is_over = [], False
        self.thread = threading.Thread(target=self._drive, args=(port,), daemon=True)
        self.thread.start()

    def _drive(self, port):
        try:
            marionette = until(lambda: self._connect(port), "Marionette")
            marionette.call("WebDriver:NewSession", {})
            marionette.call("WebDriver:Navigate", {"url": f"http://127.0.0.1:{self.server.server_port}/"})
            while not self.is_over:
                script = "return Array.from(document.querySelectorAll('li'), li => li.textContent)"
                self.seen = marionette.call("WebDriver:ExecuteScript", {"script": script, "args": []})["value"]
                time.sleep(0.5)
        except Exception as error:  # pylint: disable=broad-except
            self.seen = [*self.seen, f"{type(error).__name__}: {error}"]

    def _connect(self, port):
        try:
            return _Marionette(port)
        except OSError:
            return None

    def text(self):
        return "".join(f"{line}\n" for line in self.seen)

    def has_ended(self):
        return self.program.has_ended()

    def stop(self):
        self.is_over = True
        self.program.stop()
        self.server.shutdown()
        self.thread.join(10)
