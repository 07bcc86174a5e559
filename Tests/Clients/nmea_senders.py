"""Programs by others that send NMEA 0183 over the network, and an app's locations from it through locationd-nmea."""

import json
import os
import shutil
import subprocess
import threading
import time

from programs import Running
from scene import free_port
from track import LATITUDE, STEP, Port, epoch
from waiting import Late, until

PACKAGES = ("netcat-openbsd", "ser2net", "socat")
# gpsfake starts a gpsd that takes the port, so its senders are used by themselves: gps/fake.py of Debian's python3-gps.
GPSFAKE = """
import sys, time
import gps.fake
kind, port, log = sys.argv[1:]
with open(log, "rb") as file: load = gps.fake.TestLoad(file)
sender = getattr(gps.fake, kind)(load, "127.0.0.1", port)
while True:
    sender.read()
    sender.feed()
    time.sleep(0.3)
"""
PATH = os.environ["PATH"] + ":/usr/sbin"


class Journey:
    """Epochs, one a second: written to a file, at whose end a follower reads on, and to a serial port."""

    def __init__(self, folder):
        self.file = folder / "journey.nmea"
        self.file.touch()
        self.port = Port()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self):
        index = 0
        while not self._ended.wait(1):
            sentences = epoch(index, int(time.time())).encode()
            with self.file.open("ab") as file:
                file.write(sentences)
            self.port.write(sentences)
            index += 1

    def stop(self):
        self._ended.set()
        self._thread.join()


def senders(journey, folder):
    """Yields each sender: its name, the program, the key `from`, and the command that sends there."""
    follow = f"tail -f -n 0 {journey.file}"
    for number in range(10):
        port = free_port()
        yield sender(number, port, f"127.0.0.1:{port}", follow, journey, folder)


def sender(number, port, here, follow, journey, folder):
    log = folder / "log.nmea"
    log.write_text("".join(epoch(index, int(time.time()) + index) for index in range(300)))
    fake = ["/usr/bin/python3", "-c", GPSFAKE]
    (folder / "ser2net.yaml").write_text(
        f"connection: &gnss\n  accepter: tcp,127.0.0.1,{port}\n"
        f"  connector: serialdev,{journey.port.path},9600n81,local\n")
    return [
        ("socat, a server", "socat", f"tcp://{here}",
         ["socat", f"TCP-LISTEN:{port},bind=127.0.0.1,reuseaddr,fork", f"SYSTEM:{follow}"]),
        ("socat, which connects", "socat", f"tcp-listen://{here}",
         ["socat", "-u", f"SYSTEM:{follow}", f"TCP:{here},retry=100,interval=0.1"]),
        ("socat, datagrams", "socat", f"udp://{here}", ["socat", "-u", f"SYSTEM:{follow}", f"UDP-SENDTO:{here}"]),
        ("socat, datagrams of IPv6", "socat", f"udp://[::1]:{port}",
         ["socat", "-u", f"SYSTEM:{follow}", f"UDP6-SENDTO:[::1]:{port}"]),
        ("netcat, a server", "nc", f"tcp://{here}", ["sh", "-c", f"{follow} | nc -l -k 127.0.0.1 {port}"]),
        ("netcat, which connects", "nc", f"tcp-listen://{here}",
         ["sh", "-c", f"while :; do {follow} | nc 127.0.0.1 {port}; sleep 0.1; done"]),
        ("netcat, datagrams", "nc", f"udp://{here}",
         ["sh", "-c", f"while :; do {follow} | nc -u 127.0.0.1 {port}; sleep 0.1; done"]),
        ("ser2net", "ser2net", f"tcp://{here}", ["ser2net", "-d", "-c", folder / "ser2net.yaml"]),
        ("gpsfake -t, a server", "gpsfake", f"tcp://{here}", [*fake, "FakeTCP", str(port), log]),
        ("gpsfake -u, datagrams", "gpsfake", f"udp://{here}", [*fake, "FakeUDP", str(port), log]),
    ][number]


def run(binaries, folder, say):
    """Has each sender send to an app. Returns whether every one was received."""
    journey = Journey(folder)
    is_good = True
    try:
        for number, (name, program, source, command) in enumerate(senders(journey, folder)):
            if not shutil.which(program, path=PATH):
                say(f"  {name}: is not installed")
                is_good = False
                continue
            place = folder / f"sender-{number}"
            place.mkdir()
            try:
                location = received(binaries, place, source, command)
                say(f"  {name}: {location['latitude']:.5f}, accessory {location.get('accessory')}")
                is_near = 0 <= location["latitude"] - LATITUDE < 1000 * STEP
                is_good = is_good and is_near and location.get("accessory") is True
            except Late as late:
                say(f"  {name}: {late}")
                is_good = False
    finally:
        journey.stop()
    return is_good


def received(binaries, folder, source, command):
    """Returns a location that an app gets from a sender."""
    configuration, socket, runtime = folder / "sender.toml", folder / "sender", folder / "run"
    allow = "" if source.startswith("tcp:") else 'allow = ["127.0.0.1", "::1"]\n'
    configuration.write_text(f'from = "{source}"\n{allow}')
    (folder / "locationd.toml").write_text('discover = false\nin-use = "connected"\n')
    sender = Running(command, folder, {"PATH": PATH})
    relay = Running([binaries / "locationd-nmea", "receive", "--config", configuration, "--socket", socket], folder)
    daemon = None
    try:
        until(socket.exists, lambda: f"the socket: {relay.text()}")
        daemon = Running(
            [binaries / "locationd", "--config", folder / "locationd.toml", "--runtime-directory", runtime,
             "--state-directory", folder / "state", "--receiver", f"socket:{socket}"], folder)
        until((runtime / "manage" / "io.locationd.Manage").exists, lambda: f"locationd: {daemon.text()}")

        def control(*words):
            return subprocess.run([binaries / "locationctl", "--runtime-directory", runtime, *words], timeout=60,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)

        control("grant", json.loads(control("status", "--json").stdout)["app"])

        def location():
            answer = control("get", "--json")
            return json.loads(answer.stdout) if answer.returncode == 0 else None

        return until(location, lambda: f"a location: {relay.text()} {daemon.text()}")
    finally:
        for running in (daemon, relay, sender):
            if running:
                running.stop()
