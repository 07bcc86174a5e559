"""Runs clients by other authors, unchanged, against a real locationd: `python3 Tests/Clients --bin FOLDER`.
See `make test-clients`.

Each client is refused, granted, given the reduced location and revoked. The table says what it showed, and what it
shows with gpsd or GeoClue themselves, fed the same sentences. Then gpsd's messages and those of locationd are compared
one by one, libgps reads every line, and 200 clients of GeoClue are served at once. Senders of NMEA by others send to an
app through locationd-nmea, and readers of NMEA by others read what it serves. Casters by others send corrections. A
hostile neighbour announces a sender, which moves GeoClue and not locationd. Prometheus reads the metrics. A strict
server of Traccar's protocol gets positions. Without a receiver, a page in Firefox gets an answer. The exit status is 1
if an entry is not as expected.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import absence
import casters
import comparison
import discovery
import geoclue_clients
import gpsd_clients
import monitoring
import nmea_readers
import nmea_senders
import soak
import table
import tracker
import unpack
from programs import Display, is_installed
from references import GPSD, GeoClue, shown_by
from scene import Scene
from spy import Spy
from walk import COLUMNS, Walk

PARTS = ("gpsd", "geoclue", "comparison", "unpack", "soak", "senders", "readers", "discovery", "metrics",
         "tracker", "casters", "absence")
# The packages for the parts besides their clients' packages.
PACKAGES = ("dbus-daemon", "geoclue-2.0", "gpsd", "libgps28", "python3-venv")
PROJECT = Path(__file__).parent.parent.parent


def say(text=""):
    print(text, flush=True)


def arguments():
    parser = argparse.ArgumentParser(prog="Tests/Clients", description=__doc__.partition("\n\n")[2])
    parser.add_argument("--bin", help="the folder with locationd, locationctl, locationd-nmea and locationd-peers")
    parser.add_argument("--part", action="append", choices=PARTS, default=[], help="only this part; may be repeated")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only clients with NAME in theirs")
    parser.add_argument("--python", default=str(PROJECT / ".build/venv/bin/python"),
                        help="a Python with the clients of PyPI (default: .build/venv/bin/python)")
    parser.add_argument("--logs", default=".build/clients", metavar="FOLDER",
                        help="the folder for pictures and outputs (default: .build/clients)")
    parser.add_argument("--packages", action="store_true", help="only print the Debian packages of the clients")
    return parser.parse_args()


def packages(python):
    """Returns the Debian packages of all clients, in order."""
    clients = gpsd_clients.all_clients(python) + geoclue_clients.all_clients()
    return sorted({package for client in clients for package in client.packages} | set(PACKAGES)
                  | set(nmea_senders.PACKAGES) | set(nmea_readers.PACKAGES) | set(discovery.PACKAGES)
                  | set(monitoring.PACKAGES) | set(casters.PACKAGES))


def walks(title, clients, scene, reference):
    """Walks with each client, and prints their table. Returns whether every entry is as expected."""
    is_good, lines = True, []
    for client in clients:
        if not client.is_there():
            lines.append([client.name, "is not installed", *[""] * len(COLUMNS)])
            is_good = False
            continue
        cells = Walk(client, scene).cells()
        beside = shown_by(client, reference) if reference else "not run"
        if beside == "nothing":
            say(f"{client.name} with {reference.name}: nothing: {client.original or 'NO REASON IS KNOWN'}")
            is_good = is_good and bool(client.original)
        for column in COLUMNS:
            if not cells[column].is_expected:
                say(f"{client.name}, {column}: {cells[column].text}")
                is_good = False
        marks = ["" if cells[column].is_expected else "! " for column in COLUMNS]
        lines.append([client.name, *(mark + cells[column].text for mark, column in zip(marks, COLUMNS)), beside])
        say(f"  {client.name}: {', '.join(lines[-1][1:])}")
    for line in table.rows([title, *COLUMNS, reference.name if reference else "the original"], lines):
        say(line)
    say()
    return is_good


def run(options, folder):
    """Runs the parts. Returns whether everything was as expected."""
    parts = options.part or PARTS
    logs = Path(options.logs)
    logs.mkdir(parents=True, exist_ok=True)
    display = Display(folder) if is_installed("Xvfb") else None
    scene = Scene(options.bin, folder, logs, display)
    gpsd = GPSD(scene) if GPSD.is_there() else None
    geoclue = GeoClue(scene) if GeoClue.is_there() and "geoclue" in parts else None

    def chosen(clients):
        return [client for client in clients if not options.only or any(name in client.name for name in options.only)]

    results = {}
    try:
        if "gpsd" in parts:
            results["gpsd"] = walks("client of gpsd", chosen(gpsd_clients.all_clients(options.python)), scene, gpsd)
        if "geoclue" in parts:
            spy = Spy(scene) if Spy.is_possible() else None
            results["geoclue"] = walks("client of GeoClue", chosen(geoclue_clients.all_clients()), scene, geoclue)
            results["spy"] = spy is not None and spy.has_seen_nothing(say)
        if "comparison" in parts:
            say("gpsd 3.22 and locationd, message by message:")
            results["comparison"] = gpsd is not None and comparison.run(scene, gpsd, say)
        if "unpack" in parts:
            say("libgps reads every line:")
            results["unpack"] = unpack.is_there() and unpack.run(scene, say)
        if "soak" in parts:
            say("GeoClue's clients, many and idle:")
            results["soak"] = all([measure(scene, say) for measure in (soak.many, soak.prompt, soak.idle)])
        if "senders" in parts:
            say("NMEA from the network, by programs of others:")
            results["senders"] = nmea_senders.run(options.bin, folder, say)
        if "readers" in parts:
            say("NMEA to programs of others:")
            results["readers"] = nmea_readers.run(options.bin, folder, options.python, say)
        if "discovery" in parts:
            say("A hostile neighbour announces a sender:")
            results["discovery"] = discovery.run(options.bin, folder, say)
        if "casters" in parts:
            say("Corrections from casters of others:")
            results["casters"] = casters.run(options.bin, folder, options.python, say)
        if "metrics" in parts:
            say("Metrics, read by Prometheus:")
            results["metrics"] = monitoring.run(scene, say)
        if "tracker" in parts:
            say("Positions, as Traccar takes them:")
            results["tracker"] = tracker.run(scene, say)
        if "absence" in parts:
            say("Firefox without a receiver:")
            results["absence"] = absence.run(options.bin, folder, say)
    finally:
        for running in (geoclue, gpsd, scene, display):
            if running:
                running.stop()
        (logs / "locationd.log").write_text(scene.daemon.text())
    say(", ".join(f"{part}: {'as expected' if is_good else 'NOT as expected'}" for part, is_good in results.items()))
    return all(results.values())


def main():
    options = arguments()
    if options.packages:
        say(" ".join(packages(options.python)))
        return
    if not options.bin:
        sys.exit("--bin FOLDER says where locationd is")
    options.bin = Path(options.bin).resolve()
    with tempfile.TemporaryDirectory(prefix="clients-", dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        sys.exit(0 if run(options, Path(folder)) else 1)


if __name__ == "__main__":
    main()
