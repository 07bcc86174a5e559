"""An attacker with the disk finds an app's regions after a revocation, reset or clearing; a new grant revives them."""

import os
import signal
import socket
import struct
import subprocess
import tempfile
from pathlib import Path

import wire
from daemon import Daemon

NAME, LATITUDE = "my-secret-home", 12.3456789


def attack(bin):
    figures, faults = [], []
    for commands in (["revoke", "APP"], ["reset", "APP"], ["deny", "APP"], ["visits", "--clear"],
                     ["visits", "--clear", "--app", "APP"]):
        left, revived = traces_after(bin, commands)
        what = " ".join(commands)
        figures.append(f"{what}: {', '.join(left) or 'nothing'} left{', a later grant revives it' if revived else ''}")
        # The regions of an app that keeps its grant are its own, unless all that it has is cleared.
        if (left or revived) and commands != ["visits", "--clear"]:
            faults.append(figures[-1])
    return "; ".join(figures), "; ".join(faults) or None


def traces_after(bin, commands):
    """Returns the traces of a region after a command and a restart, and whether a later grant finds the region."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder).resolve()
        with socket.socket(socket.AF_UNIX) as wake:
            wake.bind(str(folder / "wake"))
            wake.listen()
            daemon = Daemon(bin / "locationd", folder, "simulated")
            app = register(daemon, str(folder / "wake"))
            environment = dict(os.environ, LOCATIOND_RUNTIME_DIRECTORY=str(daemon.runtime))
            subprocess.run([bin / "locationctl", *(app if word == "APP" else word for word in commands)],
                           env=environment, capture_output=True, check=True)
            left = traces(folder)
            daemon.process.send_signal(signal.SIGKILL)
            daemon.process.wait()
            left += [trace for trace in traces(folder) if trace not in left]
            daemon = Daemon(bin / "locationd", folder, "simulated")
            try:
                wire.call_once(daemon.manage, "io.locationd.Manage.Grant", {"app": app, "level": "always"})
                regions = wire.call_once(daemon.location, "io.locationd.Location.ListRegions")["regions"]
            finally:
                daemon.stop()
            return left, bool(regions)


def register(daemon, wake):
    """Grants this process always, and monitors a region for it. Returns the app's name."""
    connection = wire.Connection(wire.connect(daemon.location))
    connection.call("io.locationd.Location.GetAuthorization")
    apps = wire.call_once(daemon.manage, "io.locationd.Manage.ListApps", {"uid": os.getuid()})["apps"]
    app = next(app["app"] for app in apps if app["connections"])
    wire.call_once(daemon.manage, "io.locationd.Manage.Grant", {"app": app, "level": "always"})
    connection.call("io.locationd.Location.StartMonitoringRegion", {
        "region": {"identifier": NAME, "latitude": LATITUDE, "longitude": 1.5, "radius": 100}, "wake": wake})
    connection.close()
    return app


def traces(folder):
    content = b"".join(path.read_bytes() for path in (folder / "state").iterdir() if path.is_file())
    forms = {"name": NAME.encode(), "coordinate": struct.pack(">d", LATITUDE), "wake path": b"/wake"}
    return [name for name, form in forms.items() if form in content]
