"""locationd with both fronts, a receiver that travels, and the decisions about apps."""

import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

from bus import PrivateBus
from programs import Running
from track import Port, Track
from waiting import until

sys.path.append(str(Path(__file__).parent.parent / "Adversary"))
import wire  # noqa: E402 (the folder is known only now)

CONFIGURATION = """\
discover = false
in-use = "connected"
[limits]
connections-per-user = 2000
[gpsd]
listen = ["127.0.0.1:{port}"]
socket = true
[geoclue]
enabled = true
"""


def free_port():
    """Returns a TCP port that nobody has at the moment."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return bound.getsockname()[1]


class Scene:
    """A running locationd. `port` and `bus` are what clients connect to, `display` is an X server for those that need
    one, and `logs` is the folder for their pictures."""

    def __init__(self, binaries, folder, logs, display=None):
        self.binaries, self.folder, self.logs, self.display = Path(binaries), Path(folder), Path(logs), display
        self.track = Track()
        receiver = Port()
        self.track.outputs.append(receiver)
        self.port, self.bus = free_port(), PrivateBus(self.folder)
        self.runtime = self.folder / "run"
        file = self.folder / "locationd.toml"
        file.write_text(CONFIGURATION.format(port=self.port))
        self.daemon = Running(
            [self.binaries / "locationd", "--config", file, "--runtime-directory", self.runtime, "--state-directory",
             self.folder / "state", "--receiver", f"serial:{receiver.path}@9600"],
            self.folder, self.bus.environment)
        self.manage = str(self.runtime / "manage" / wire.MANAGE)
        until(self._answers, lambda: f"locationd: {self.daemon.text()}")
        self.start_witness()
        self.cell_program = self.folder / "cell"
        shutil.copy(self.binaries / "locationctl", self.cell_program)
        self.own_apps = {self._app_of(self.binaries / "locationctl"), self._app_of(self.cell_program)}
        self.fixes(1)

    def _answers(self):
        if self.daemon.has_ended():
            raise SystemExit(f"locationd ended: {self.daemon.text()}")
        try:
            return self.call("GetStatistics")
        except (OSError, wire.Late, wire.Closed):
            return None

    def call(self, method, **parameters):
        """Makes a call on the management socket."""
        return wire.call_once(self.manage, f"{wire.MANAGE}.{method}", parameters)

    # The apps

    def apps(self):
        return self.call("ListApps", uid=os.getuid())["apps"]

    def runner_app(self):
        """Returns the app that this process is."""
        connection = wire.Connection(wire.connect(str(self.runtime / wire.LOCATION)))
        try:
            connection.call(f"{wire.LOCATION}.GetAuthorization")
            return until(self.connected_app, "this app")
        finally:
            connection.close()

    def connected_app(self):
        """Returns the connected app that is not part of the scene, or None."""
        for app in self.apps():
            if app["connections"] and app["app"] not in self.own_apps:
                return app["app"]
        return None

    def grant(self, app, accuracy="full"):
        self.call("Grant", app=app, uid=os.getuid(), level="always", accuracy=accuracy)

    def deny(self, app):
        self.call("Deny", app=app, uid=os.getuid())

    def revoke(self, app):
        self.call("Revoke", app=app, uid=os.getuid())

    def reset(self, app):
        self.call("Reset", app=app, uid=os.getuid())

    def deliveries(self, app):
        """Returns the number of deliveries to an app so far."""
        return sum(entry["deliveries"] for entry in self.call("GetAccessLog")["entries"] if entry["app"] == app)

    # What others receive

    def _run_ctl(self, program, *words):
        return subprocess.run([str(program), *words], env=self.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)

    @property
    def environment(self):
        return dict(os.environ) | {"LOCATIOND_RUNTIME_DIRECTORY": str(self.runtime)}

    def _app_of(self, program):
        return json.loads(self._run_ctl(program, "status", "--json").stdout)["app"]

    def start_witness(self):
        """Starts the app whose fixes `fixes` waits for."""
        program = self.binaries / "locationctl"
        self.grant(self._app_of(program))
        self.witness = Running([program, "watch", "--json", "--no-pauses"], self.folder, self.environment)

    def fixes(self, count):
        """Waits until another app, which has a grant, has received some more fixes."""
        def received():
            if self.witness.has_ended():
                raise SystemExit(f"locationctl ended: {self.witness.text()}")
            return self.witness.text().count('"latitude"')
        goal = received() + count
        until(lambda: received() >= goal, lambda: f"fixes: {self.daemon.text()[-2000:]}")

    def cell(self):
        """Returns the latitude and longitude that apps with reduced accuracy get."""
        self.grant(self._app_of(self.cell_program), "reduced")
        result = self._run_ctl(self.cell_program, "get", "--json", "--timeout", "60")
        location = json.loads(result.stdout)
        location = location.get("location", location)
        return location["latitude"], location["longitude"]

    def stop(self):
        self.witness.stop()
        self.daemon.stop()
        self.bus.stop()
        self.track.stop()
