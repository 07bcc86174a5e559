"""Tests the programs out of the packages for another architecture, under qemu's user emulation and over ptys
(`make test-arm64`). What is emulated has the emulator as its executable, so that all programs
are one app here.
"""

import argparse
import http.server
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
for folder in ["Machine", "Adversary"]:
    sys.path.insert(0, str(TESTS / folder))

from dongle import COORDINATES, Dongle  # noqa: E402
from peers import Peers  # noqa: E402

EMULATOR = "qemu-aarch64-static"
PROGRAMS = {"locationd": "usr/sbin/locationd", "locationctl": "usr/bin/locationctl",
            "locationd-peers": "usr/libexec/locationd-peers", "locationd-publish": "usr/sbin/locationd-publish"}
#: In seconds: emulation on a busy machine is slow.
DEADLINE = 180


class Failed(Exception):
    """A program did not do what it should."""


def expect(condition, text):
    """Raises `Failed` with the text if the condition is false."""
    if not condition:
        raise Failed(text)


class Scene:
    """The emulated programs, with a daemon of theirs that reads a pty."""

    def __init__(self, sysroot, packages, native, logs):
        self.sysroot, self.native, self.logs = sysroot, native, logs
        self.folder = Path(tempfile.mkdtemp(prefix="emulated."))
        for name in ["locationd", "locationd-publish"]:
            package = next(packages.glob(f"{name}_*_arm64.deb"))
            subprocess.run(["dpkg-deb", "--extract", package, self.folder / "root"], check=True)
        self.environment = os.environ | {"LOCATIOND_RUNTIME_DIRECTORY": f"{self.folder}/run", "LC_ALL": "C.UTF-8"}
        self.dongle = Dongle("EMULATED")
        self.daemon = None
        self.peers = None
        #: The daemon's view of every emulated program.
        self.app = f"exe:{os.path.realpath(shutil.which(EMULATOR))}"

    def command(self, program, *arguments):
        return [EMULATOR, "-L", str(self.sysroot), str(self.folder / "root" / PROGRAMS[program]), *arguments]

    def run(self, program, *arguments):
        return subprocess.run(
            self.command(program, *arguments), env=self.environment, capture_output=True, text=True, timeout=DEADLINE)

    def ctl(self, *arguments, status=0):
        """What locationctl prints, once it has ended with the status."""
        run = self.run("locationctl", *arguments)
        output = run.stdout + run.stderr
        expect(run.returncode == status, f"locationctl {' '.join(arguments)}: status {run.returncode}\n{output}")
        return output

    def start(self, program, *arguments, **options):
        return subprocess.Popen(
            self.command(program, *arguments), env=self.environment, stdout=subprocess.PIPE, text=True, **options)

    def close(self):
        if self.daemon:
            self.daemon.terminate()
            self.daemon.wait()
        if self.peers:
            self.peers.stop()
        self.dongle.stop()
        shutil.rmtree(self.folder)


def every_program_runs(scene):
    """each program prints its version or its usage"""
    versions = {scene.run(name, "--version").stdout.strip() for name in PROGRAMS if name != "locationd-peers"}
    expect(len(versions) == 1 and versions != {""}, f"versions: {versions}")
    expect("usage" in scene.run("locationd-peers").stderr, "locationd-peers prints no usage")
    return f"version {versions.pop()}"


def it_starts(scene):
    """the daemon starts with locationd-peers, and answers"""
    wrapper = scene.folder / "locationd-peers"
    wrapper.write_text("#!/bin/sh\nexec " + " ".join(scene.command("locationd-peers")) + ' "$@"\n')
    wrapper.chmod(0o755)
    scene.peers = Peers(str(wrapper), scene.folder)
    scene.environment["LOCATIOND_PEERS"] = scene.peers.path
    (scene.folder / "locationd.toml").touch()
    beginning = time.monotonic()
    scene.daemon = scene.start(
        "locationd", "--runtime-directory", f"{scene.folder}/run", "--state-directory", f"{scene.folder}/state",
        "--config", f"{scene.folder}/locationd.toml", "--receiver", f"serial:{scene.dongle.port}@9600",
        "--log-level", "warning")
    while scene.run("locationctl", "status").returncode != 0:
        expect(scene.daemon.poll() is None, "the daemon has ended")
        expect(time.monotonic() - beginning < DEADLINE, "the daemon does not answer")
    took = time.monotonic() - beginning
    status = Path(f"/proc/{scene.daemon.pid}/status").read_text()
    memory = next(line.split()[1] for line in status.splitlines() if line.startswith("RssAnon"))
    return f"{took:.1f} s to the first answer, {int(memory) / 1024:.0f} MB private with the emulator"


def nothing_without_a_grant(scene):
    """an app that nobody has decided about gets nothing"""
    expect(not COORDINATES.search(scene.ctl("get", "--timeout", "5", status=4)), "a place was printed")


def a_grant_brings_fixes(scene):
    """granted, it gets the fixes of the receiver at the pty"""
    scene.ctl("grant", scene.app)
    location = json.loads(scene.ctl("get", "--json", "--timeout", "60"))
    expect(COORDINATES.search(json.dumps(location)), f"{location}")
    fixes = scene.ctl("watch", "--json", "--no-pauses", "-n", "3").splitlines()
    expect(sum('"event":"location"' in line for line in fixes) == 3, f"{fixes}")


def a_reduced_grant_brings_a_cell(scene):
    """with reduced accuracy it gets the cell, and no speed or altitude"""
    scene.ctl("grant", "--reduced", scene.app)
    location = json.loads(scene.ctl("get", "--json", "--desired-accuracy", "reduced", "--timeout", "90"))
    expect(location["horizontalAccuracy"] > 8000 and "speed" not in location, f"{location}")
    scene.ctl("grant", scene.app)


def a_revocation_ends_a_stream(scene):
    """a revocation ends its stream"""
    stream = scene.start("locationctl", "watch", "--json", "--no-pauses")
    while '"event":"location"' not in (line := stream.stdout.readline()):
        expect(line, "the stream has ended")
    scene.ctl("revoke", scene.app)
    stream.stdout.read()
    expect(stream.wait(DEADLINE) == 4, f"the stream ended with {stream.returncode}")
    scene.ctl("grant", scene.app)


def the_doctor_looks(scene):
    """locationctl doctor looks at the daemon and its receiver"""
    text = scene.run("locationctl", "doctor").stdout
    expect("the public socket exists" in text, text)
    return f"{len(text.splitlines())} lines"


def the_publisher_publishes(scene):
    """locationd-publish sends the location to a server"""
    requests = queue.Queue()

    class Handler(http.server.BaseHTTPRequestHandler):
        def answer(self):
            requests.put(self.path + self.rfile.read(int(self.headers.get("Content-Length", 0))).decode())
            self.send_response(200)
            self.end_headers()

        do_GET = do_POST = answer

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        configuration = scene.folder / "publish.toml"
        configuration.write_text(f'broker = "http://127.0.0.1:{server.server_port}"\nformat = "osmand"\n'
                                 'device = "emulated"\ninterval = 1\n')
        state = scene.folder / "publisher"
        state.mkdir(mode=0o700)
        scene.environment["STATE_DIRECTORY"] = str(state)
        scene.ctl("grant", "--always", scene.app)
        publisher = scene.start("locationd-publish", "--config", str(configuration))
        try:
            request = requests.get(timeout=DEADLINE)
        except queue.Empty:
            raise Failed("nothing was published") from None
        finally:
            publisher.terminate()
            publisher.wait()
            server.shutdown()
    expect("lat=-43.5" in request and "lon=172.6" in request, request)


def logs_are_decoded_alike(scene):
    """locationctl decode prints the same for each log as this machine's own"""
    for log in scene.logs:
        emulated = scene.ctl("decode", str(log))
        own = subprocess.run([scene.native / "locationctl", "decode", log], capture_output=True, text=True, check=True)
        expect(emulated == own.stdout + own.stderr, f"{log.name} is decoded otherwise")
    return f"{len(scene.logs)} logs"


STEPS = [every_program_runs, it_starts, nothing_without_a_grant, a_grant_brings_fixes, a_reduced_grant_brings_a_cell,
         a_revocation_ends_a_stream, the_doctor_looks, the_publisher_publishes, logs_are_decoded_alike]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sysroot", type=Path, help="the folder with the libraries")
    parser.add_argument("packages", type=Path, help="the folder with the packages")
    parser.add_argument("programs", type=Path, help="this machine's own, whose answers to the logs are expected")
    parser.add_argument("logs", type=Path, nargs="*")
    arguments = parser.parse_args()
    sysroot, packages, native = (getattr(arguments, name).resolve() for name in ("sysroot", "packages", "programs"))
    logs = [log.resolve() for log in arguments.logs]
    if shutil.which(EMULATOR) is None:
        sys.exit(f"{EMULATOR} is missing: sudo apt-get install qemu-user-static")
    if not list(packages.glob("locationd_*_arm64.deb")):
        sys.exit(f"no packages for arm64 in {packages}: make deb-arm64")
    scene = Scene(sysroot, packages, native, logs)
    try:
        for step in STEPS:
            beginning = time.monotonic()
            figure = step(scene)
            print(f"{time.monotonic() - beginning:7.1f} s  {step.__doc__}{f': {figure}' if figure else ''}", flush=True)
    except Failed as failure:
        sys.exit(f"FAILED   {step.__doc__}: {failure}")
    finally:
        scene.close()


if __name__ == "__main__":
    main()
