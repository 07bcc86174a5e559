"""A gpsd that is read sends a signal strength of 1e300, and every dashboard ends by SIGILL."""

import json
import os
import socket
import subprocess
import tempfile
import threading
import time

from daemon import Daemon

SECONDS = 6
VALUES = (1e300, -1e300, 1e18, 0.5)


def serve(listener):
    """Sends each client a sky of impossible satellites, once a second, until it leaves."""
    satellites = [{"PRN": 1 + index, "gnssid": 0, "svid": 1 + index, "el": value, "az": value, "ss": value,
                   "used": True}
                  for index, value in enumerate(VALUES)]
    reports = [{"class": "SKY", "device": "/dev/x", "satellites": satellites, "hdop": 1e300, "nSat": 4, "uSat": 4},
               {"class": "TPV", "device": "/dev/x", "mode": 3, "time": "2026-06-01T12:00:00.000Z", "lat": 47.0,
                "lon": 8.0, "altHAE": 1e300, "speed": 1e300, "epx": 1e300}]

    def answer(client):
        try:
            client.sendall(b'{"class":"VERSION","release":"3.25","rev":"3.25","proto_major":3,"proto_minor":15}\n')
            while True:
                for report in reports:
                    client.sendall(json.dumps(report).encode() + b"\n")
                time.sleep(1)
        except OSError:
            pass

    while True:
        try:
            client, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=answer, args=[client], daemon=True).start()


def attack(bin):
    with tempfile.TemporaryDirectory(prefix="locationd-adversary-") as folder, \
            socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, args=[listener], daemon=True).start()
        daemon = Daemon(bin / "locationd", folder, f"gpsd:127.0.0.1:{listener.getsockname()[1]}")
        environment = dict(os.environ, LOCATIOND_RUNTIME_DIRECTORY=str(daemon.runtime), SWIFT_BACKTRACE="enable=no")
        statuses, rows, end = [], 0, time.monotonic() + SECONDS
        try:
            daemon.grant(f"exe:{os.path.realpath(bin / 'locationctl')}", os.getuid())
            watching = subprocess.Popen([bin / "locationctl", "watch"], env=environment, stdout=subprocess.DEVNULL)
            while time.monotonic() < end:
                for options in (["dashboard", "--once"], ["receivers", "--satellites"]):
                    done = subprocess.run([bin / "locationctl", *options], env=environment, capture_output=True)
                    statuses.append(done.returncode)
                    rows += done.stdout.count(b"GPS")
            watching.terminate()
            statuses.append(0 if watching.wait() in (0, -15, 130, 143) else watching.returncode)
            fault = daemon.stop()
        finally:
            daemon.process.kill()
    crashed = [status for status in statuses if status < 0 or status > 127]
    figure = f"{len(statuses)} commands, {len(crashed)} crashed, {rows} rows of satellites"
    return figure, fault or ("a command of locationctl crashes" if crashed else None)
