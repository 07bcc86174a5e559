"""Casters by others, and their frames through locationd-ntrip, with this program in the daemon's place."""

import os
import shutil
import socket
import sys
import threading
from pathlib import Path

from programs import Running
from scene import free_port
from waiting import Late, until

sys.path.append(str(Path(__file__).parent.parent / "Receivers"))
from made_frames import crc24q, measurements  # noqa: E402 (the folder is known only now)

PACKAGES = ("rtklib",)
# The standard's own example of message 1005 (RTCM 10403.3, section 4.2).
REFERENCE = bytes.fromhex("d300133ed7d30202980edeef34b4bd62ac0941986f33360b98")


class Base:
    """A base station: frames, five times a second, to each client of a port."""

    def __init__(self):
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        self._ended = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                client = self._server.accept()[0]
            except OSError:
                return
            threading.Thread(target=self._feed, args=(client,), daemon=True).start()

    def _feed(self, client):
        time = 0
        while not self._ended.wait(0.2):
            try:
                client.sendall(REFERENCE + measurements(1077, time))
            except OSError:
                return
            time += 1

    def stop(self):
        self._ended.set()
        self._server.close()


class Daemon:
    """The socket where locationd-ntrip writes corrections."""

    def __init__(self, folder):
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(folder / "io.locationd.Corrections"))
        self._server.listen()
        self.received = b""
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        client = self._server.accept()[0]
        assert client.recv(1) == b"\n", "a receiver is named"
        client.sendall(b"1")
        while data := client.recv(4096):
            self.received += data

    def count(self):
        """Returns the number of intact frames, or None if there is anything else."""
        rest, number = self.received, 0
        while len(rest) >= 6:
            length = 6 + (rest[1] << 8 | rest[2])
            if rest[0] != 0xD3:
                return None
            if len(rest) < length:
                break
            if crc24q(rest[:length]):
                return None
            rest, number = rest[length:], number + 1
        return number


def casters(base, python):
    """Yields each caster: its name, the program, the command for a port, the mount point and its credentials."""
    feed = f"127.0.0.1:{base.port}"
    server = Path(python).parent / "gnssserver"
    pygnss = [server, "--socket", feed, "--ntripmode", "1", "--protfilter", "4", "--hostip", "127.0.0.1",
              "--ntripuser", "anna", "--ntrippassword", "secret", "--outport"]
    yield ("str2str of RTKLIB", shutil.which("str2str"),
           lambda port: ["str2str", "-in", f"tcpcli://{feed}", "-out", f"ntripc://anna:secret@:{port}/BASE"], "BASE")
    for version in ("2.0", "1.0"):
        yield (f"gnssserver of pygnssutils, NTRIP {version}", server.exists(),
               lambda port, version=version: [*pygnss, str(port), "--ntripversion", version], "pygnssutils")


def run(binaries, folder, python, say):
    """Receives corrections of each caster. Returns whether all arrived, and nothing else."""
    base = Base()
    is_good = True
    for number, (name, is_there, command, mount) in enumerate(casters(base, python)):
        if not is_there:
            say(f"  {name}: is not installed")
            is_good = False
            continue
        place = folder / f"caster-{number}"
        place.mkdir()
        try:
            for position, password in ((True, "secret"), (False, "secret"), (False, "wrong")):
                answer = received(binaries, place / f"{position}-{password}", command, mount, position, password)
                say(f"  {name}{'' if position else ', without its list'}, password {password}: {answer}")
                is_good = is_good and (answer == "refused" if password == "wrong" else "frames" in answer)
        except Late as late:
            say(f"  {name}: {late}")
            is_good = False
    base.stop()
    return is_good


def received(binaries, folder, command, mount, uses_table, password):
    """Returns what locationd-ntrip makes of a caster."""
    folder.mkdir()
    port = free_port()
    (folder / "base.toml").write_text(
        f'caster = "ntrip://127.0.0.1:{port}/{mount}"\n' + ("" if uses_table else 'position = "none"\n'))
    (folder / "user").write_text("anna\n")
    (folder / "password").write_text(password + "\n")
    daemon = Daemon(folder)
    caster = Running(command(port), folder)
    program = None
    try:
        until(lambda: accepts(port), lambda: f"the caster: {caster.text()}")
        program = Running(
            [binaries / "locationd-ntrip", "--config", folder / "base.toml", "--log-level", "debug"], folder,
            {"LOCATIOND_RUNTIME_DIRECTORY": str(folder), "CREDENTIALS_DIRECTORY": str(folder),
             "PATH": os.environ["PATH"]})

        def answer():
            if "does not accept the user and the password" in program.text():
                return "refused"
            count = daemon.count()
            return None if count is not None and count < 6 else f"{count} frames" if count else "other bytes"

        return until(answer, lambda: f"frames: {program.text()} {caster.text()}")
    finally:
        for running in (program, caster):
            if running:
                running.stop()


def accepts(port):
    """Returns whether a program listens at a port."""
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True
