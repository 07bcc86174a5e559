"""Hostile advertisements, and a hostile BlueZ: devices nearby that flood and lie, programs that forge BlueZ's signals,
and apps that range too much or spy on others. Meanwhile, other calls are measured.

Each attack is a function of a Scene, and returns what was measured and why the attack succeeded, or None.
"""

import contextlib
import os
import pwd
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import wire
from bluez import (ADAPTER, BUS, BUS_PATH, DEVICE_ARGUMENT, MONITOR, NAME, REPLY, SIGNAL, UUID, BlueZ, Body, added,
                   beacon, changed, signal)
from bus import Bus, Program
from callers import Caller, Control, judge
from daemon import Daemon, Ended
from programs import App, Programs
from report import machine, say
from users import Running

# BlueZ belongs to root, and every program may call it: its package's bluetooth.conf. Unlike there, every program may
# call the daemon's monitors: the daemon itself has to refuse the calls of others.
ELEMENTS = f"""<policy user='{os.getuid()}'><allow own='{NAME}'/></policy>
<policy context='default'><allow send_destination='{NAME}'/><allow send_interface='{MONITOR}'/></policy>"""
WAIT_SECONDS = 60
GROWTH_MEGABYTES = 8
MAXIMUM_BEACONS = 64
MAXIMUM_STREAMS = 32
IDENTITIES = 10_000
SIGNALS_PER_SECOND, FLOOD_SECONDS = 20_000, 5
STREAMS = 300
LISTENING_SECONDS = 3
# The major numbers of a beacon that is really there, and of those that nobody may see.
TRUE, FALSE = 9, 666


class Scene:
    """A bus with a BlueZ, the daemon, and an app with a grant that ranges all beacons of the UUID."""

    def __init__(self, program, folder):
        self.folder = Path(folder)
        self.folder.chmod(0o755)
        self.bus = Bus(folder, ELEMENTS)
        self.blue_z = BlueZ(self.bus.path, monitors=True)
        self.daemon = Daemon(program, folder, None, environment={"DBUS_SYSTEM_BUS_ADDRESS": self.bus.address})
        self.programs = Programs(folder)
        self.apps = []
        self.app = self.start("app")
        self.reports = self.range(self.app)
        wait_for(lambda: "StartDiscovery" in self.blue_z.calls, "BlueZ to be asked to scan")
        self.before = self.daemon.anonymous_megabytes()

    def start(self, name):
        """Starts an app, and grants it the location."""
        app = App(self.programs, name)
        self.apps.append(app)
        self.daemon.grant(app.identity, os.getuid())
        return app

    def range(self, app, **numbers):
        """Opens a stream of beacons."""
        connection = app.connect(self.daemon.location)
        connection.send(wire.LOCATION + ".RangeBeacons", {"constraint": {"uuid": UUID} | numbers}, more=True)
        return connection

    @contextlib.contextmanager
    def measured(self):
        """Measures calls of another client meanwhile. The result has their greatest times, and a fault or None."""
        callers = [Caller.of(self.daemon.location, "org.varlink.service.GetInfo"), Control()]
        for caller in callers:
            caller.start()
        result = {}
        try:
            yield result
        finally:
            for caller in callers:
                caller.stop()
            result["worst"], result["fault"] = judge(callers)
        growth = self.daemon.anonymous_megabytes() - self.before
        result["growth"] = f"RssAnon grew by {growth:.1f} MB"
        if growth > GROWTH_MEGABYTES:
            result["fault"] = result["fault"] or result["growth"]

    def stop(self):
        """Ends everything. Returns a description of a fault at the daemon's end, or None."""
        for app in self.apps:
            app.stop()
        fault = self.daemon.stop()
        self.blue_z.close()
        self.bus.stop()
        return fault


def wait_for(condition, what):
    deadline = time.monotonic() + WAIT_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            raise wire.Late(f"{what}: not within {WAIT_SECONDS} s")
        time.sleep(0.02)


def await_report(connection, condition):
    """Waits for a report that fulfils a condition, and returns the ones until then."""
    reports = []

    def is_there():
        new = [wire.result(reply) for reply in connection.received()]
        reports.extend(new)
        return any(condition(report) for report in new)
    wait_for(is_there, "a report")
    return reports


def majors(reports):
    """Returns the major numbers in reports."""
    return {each["major"] for report in reports for each in report["beacons"]}


def identities(scene):
    """Ten thousand devices advertise nearby, each with its own identity: nobody waits, and a true one is found."""
    others = scene.range(scene.app, major=TRUE, minor=TRUE)
    reports, found = [], []
    with scene.measured() as result:
        for number in range(IDENTITIES):
            scene.blue_z.transmit(added(f"F{number}", beacon(1, number), -40))
        for number in range(IDENTITIES):
            if number % 500 == 0:
                scene.blue_z.transmit(changed("true", beacon(TRUE, TRUE), -50))
            scene.blue_z.transmit(changed(f"F{number}", beacon(2, number), -40))
        found = await_report(others, lambda report: TRUE in majors([report]))
        reports = await_report(scene.reports, lambda report: report["beacons"])
    most = max(len(report["beacons"]) for report in reports)
    figure = f"{2 * IDENTITIES} identities, {most} beacons in a report, {result['growth']}; {result['worst']}"
    if most > MAXIMUM_BEACONS:
        return figure, "a report has no limit"
    return figure, result["fault"] or (None if majors(found) == {TRUE} else "a constraint is not observed")


def lengths(scene):
    """Manufacturer data of every length, up to 8 MB, of wrong types, and with impossible strengths."""
    sizes = [*range(300), 1023, 1024, 1025, 65_536, 8_000_000]
    whole = beacon(TRUE, TRUE)
    with scene.measured() as result:
        for size in sizes:
            data = (whole if size >= len(whole) else beacon(FALSE, 1))[:size].ljust(size, b"\0")
            scene.blue_z.transmit(added(f"A{size}", data, -50))
            scene.blue_z.transmit(changed(f"A{size}", data, -50))
            scene.blue_z.transmit(changed(f"B{size}", bytes(size), -50))
        for number, rssi in enumerate([-32_768, -128, 21, 127, 32_767]):
            scene.blue_z.transmit(added(f"C{number}", beacon(TRUE, 100 + number), rssi))
        for wrong in [changed("D", beacon(FALSE, 2), -50, wrong=True), added("E", beacon(FALSE, 3), -50, wrong=True),
                      added("G", beacon(FALSE, 4), -50, company=1)]:
            scene.blue_z.transmit(wrong)
        scene.blue_z.transmit(changed("last", beacon(TRUE, 999), -50))
        reports = await_report(
            scene.reports, lambda report: any(each["minor"] == 999 for each in report["beacons"]))
    last = {each["minor"]: each for each in reports[-1]["beacons"]}
    figure = f"{len(sizes)} lengths, {sorted(last)} of {TRUE} found, {result['growth']}; {result['worst']}"
    if majors(reports) != {TRUE} or TRUE not in last:
        return figure, f"found: {majors(reports)}"
    measured = [number for number in range(100, 105) if "accuracy" in last.get(number, {})]
    return figure, result["fault"] or (f"an impossible strength is a distance: {measured}" if measured else None)


def stranger():
    """Returns a user ID that the bus lets in: it ends the connections of users without an account."""
    return pwd.getpwnam("nobody").pw_uid


def forge(path, client, monitors):
    """Sends BlueZ's signals and calls to the daemon, as another program. Returns the number of calls that succeeded."""
    program = Program(path)
    for number in range(200):
        for destination in (None, client):
            data = changed(f"X{number}", beacon(FALSE, number), -40, destination=destination)
            program.socket.sendall(data)
        program.socket.sendall(added(f"Y{number}", beacon(FALSE, number), -40))
    for owner in ("", ":1.666"):
        body = Body().string(NAME).string(client).string(owner)
        program.socket.sendall(signal(BUS_PATH, BUS, "NameOwnerChanged", "sss", body, client))
    program.socket.sendall(signal(
        "/", f"{BUS}.ObjectManager", "InterfacesRemoved", "oas",
        Body().string(ADAPTER).array(4, lambda names: names.string("org.bluez.Adapter1")), client))
    roots = {monitor.rpartition("/")[0] for monitor in monitors}
    return sum(program.call(client, each, MONITOR, "DeviceFound", "o", DEVICE_ARGUMENT) == REPLY
               for each in [*monitors, *sorted(roots)])


def forged(scene):
    """Another user's program sends BlueZ's signals to the daemon, and calls its monitors."""
    wait_for(lambda: scene.blue_z.paths, "the daemon's monitors")
    arguments = scene.bus.path, scene.blue_z.client, list(scene.blue_z.paths)
    with scene.measured() as result:
        calls = Running(stranger(), forge, *arguments).result() if os.getuid() == 0 else forge(*arguments)
        # The same call by BlueZ succeeds, so the others were refused for their sender.
        own = scene.blue_z.report(scene.blue_z.paths[-1])
        wait_for(lambda: own in scene.blue_z.answers, "the answer to BlueZ")
        scene.blue_z.transmit(added("true", beacon(TRUE, TRUE), -50))
        reports = await_report(scene.reports, lambda report: TRUE in majors([report]))
    figure = f"{len(reports)} reports with {majors(reports)}, {calls} calls succeeded; {result['worst']}"
    if scene.blue_z.answers[own] != REPLY:
        return figure, "not carried out: BlueZ's own call was refused"
    if calls != 0 or majors(reports) != {TRUE}:
        return figure, "the daemon believes another program"
    if any("unavailable" in report for report in reports):
        return figure, "the daemon believes that BlueZ has left"
    return figure, result["fault"]


def rate(scene):
    """Signals about a wanted beacon and others, 20,000 a second: reports go on once a second."""
    chunk = b"".join(changed(f"R{number}", beacon(number % 40, number), -50) for number in range(200))
    with scene.measured() as result:
        began, used, sent, reports = time.monotonic(), scene.daemon.processor_seconds(), 0, []
        while (spent := time.monotonic() - began) < FLOOD_SECONDS:
            if sent <= spent * SIGNALS_PER_SECOND:
                scene.blue_z.transmit(chunk)
                sent += 200
            else:
                time.sleep(0.002)
            # A report that is not read is replaced by a newer one.
            reports += [wire.result(reply) for reply in scene.reports.received()]
        percent = 100 * (scene.daemon.processor_seconds() - used) / spent
    figure = (f"{sent / spent:.0f} signals a second, {percent:.0f} % of a processor, {len(reports)} reports in "
              f"{FLOOD_SECONDS} s, {result['growth']}; {result['worst']}")
    return figure, result["fault"] or (f"only {len(reports)} reports" if len(reports) < FLOOD_SECONDS - 2 else None)


def streams(scene):
    """An app opens hundreds of streams, while many beacons are in range."""
    for number in range(2 * MAXIMUM_BEACONS):
        scene.blue_z.transmit(added(f"S{number}", beacon(1, number), -50))
    connections, refused = [], 0
    with scene.measured() as result:
        for number in range(STREAMS):
            try:
                connections.append(scene.range(scene.app, major=number))
            except (OSError, wire.Closed, wire.Late):
                refused += 1
        time.sleep(5)
        for connection in connections:
            try:
                refused += any("error" in reply for reply in connection.received())
            except wire.Closed:
                refused += 1
    accepted = STREAMS - refused
    # One of them is the scene's.
    fault = None if accepted == MAXIMUM_STREAMS - 1 else f"{accepted} streams"
    return f"{accepted} of {STREAMS} streams accepted, {result['growth']}; {result['worst']}", result["fault"] or fault


@contextlib.contextmanager
def listening(scene):
    """Has a program listen on the bus meanwhile and for a while afterwards, as another user if possible."""
    ready = scene.folder / "ready"
    ready.mkdir()
    ready.chmod(0o777)
    arguments = listen, scene.bus.path, scene.blue_z.client, str(ready)
    running = Running(stranger(), *arguments) if os.getuid() == 0 else ThreadPoolExecutor(1).submit(*arguments)
    wait_for((ready / "begun").exists, "the listener")
    yield running


def listen(path, client, ready):
    """Receives all signals on the bus. Returns the number of those that the daemon has sent."""
    program = Program(path)
    program.call(BUS, BUS_PATH, BUS, "AddMatch", "s", bytes(Body().string("type='signal'").data))
    Path(ready, "begun").touch()
    program.socket.settimeout(0.2)
    heard, end = 0, time.monotonic() + LISTENING_SECONDS
    while time.monotonic() < end:
        try:
            kind, fields = program._message()
            heard += kind == SIGNAL and fields.get(7) == client
        except TimeoutError:
            pass
    return heard


def spy(scene):
    """An app ranges the beacons of another, to learn from the first report that the other ranges them.

    And another user's program listens on the bus for what the daemon looks for.
    """
    for _ in range(20):
        scene.blue_z.transmit(changed("true", beacon(TRUE, TRUE), -50))
        time.sleep(0.05)
    await_report(scene.reports, lambda report: TRUE in majors([report]))
    spying = scene.range(scene.start("spy"))
    first = await_report(spying, lambda report: True)
    told = scene.blue_z.signals.count("InterfacesAdded")
    with listening(scene) as heard:
        # New demand, so that BlueZ is told what to look for. It ends with the connection, so that is kept.
        demand = scene.range(scene.app, major=FALSE)
        wait_for(lambda: scene.blue_z.signals.count("InterfacesAdded") > told, "BlueZ's monitors")
    heard = heard.result()
    demand.close()
    figure = f"the first report has {majors(first) or 'nothing'}; {heard} signals of the daemon heard by others"
    if majors(first):
        return figure, "the spy learns what the other app ranges"
    return figure, "the bus tells others what the daemon looks for" if heard != 0 else None


ATTACKS = {function.__name__: function for function in [identities, lengths, forged, rate, streams, spy]}


def run(options):
    """Carries out the selected attacks. Returns whether one of them succeeded."""
    say(machine())
    findings = 0
    for name in options.only or ATTACKS:
        say(f"\n== {name}: {ATTACKS[name].__doc__.partition(chr(10))[0]}")
        with tempfile.TemporaryDirectory(prefix="locationd-adversary-", ignore_cleanup_errors=True) as folder:
            scene = Scene(options.daemon, folder)
            try:
                figure, fault = ATTACKS[name](scene)
            except (wire.Late, wire.Closed, wire.Refused, Ended) as error:
                figure, fault = "not ended", f"{type(error).__name__}: {error}"
            fault = scene.stop() or fault
        say(figure)
        if fault:
            findings += 1
            say(f"FINDING: {fault}")
    say(f"\n{findings or 'no'} finding{'' if findings == 1 else 's'}")
    return findings > 0
