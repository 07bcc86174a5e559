"""The daemon with a 10 Hz receiver, and the well-behaved clients that measure it.

A granted app is subscribed, the manager revokes another app's grant again and again, and a third app calls
GetAuthorization. A control measures the cost of the load for a process that does not use the daemon, but shares its
processors; others do for the port, where the kernel passes the fixes on, and for the disk, which a revocation waits for
before its manager has the reply.
"""

import os
import time
from pathlib import Path

from daemon import Daemon
from meters import EchoMeter, FixMeter, PortMeter, ReplyMeter
from nmea import Addresses, Instances
from programs import App, Programs
from receiver import Receiver
from revocations import RevocationMeter


class Usage:
    """The memory and processor time of a daemon over a phase."""

    def __init__(self, daemon):
        self.daemon = daemon
        self.begin = self.peak = self.end = daemon.anonymous_megabytes()
        self.percent = 0.0
        self.began, self.processor = time.monotonic(), daemon.processor_seconds()

    def look(self):
        self.end = self.daemon.anonymous_megabytes()
        self.peak = max(self.peak, self.end)

    def stop(self):
        """Ends the phase. `percent` is the share of one processor that the daemon used."""
        self.look()
        used = self.daemon.processor_seconds() - self.processor
        self.percent = 100 * used / (time.monotonic() - self.began)


class Phase:
    """The measurements of one phase, as rows of the report."""

    def __init__(self, name, daemon, meters):
        self.name, self.usage = name, Usage(daemon)
        self.samples = {what: meter.restart() for what, meter in meters.items()}

    def rows(self):
        return [[f"{self.name}: {what}", *samples.cells()] for what, samples in self.samples.items()]


class Scene:
    """The daemon with its receiver and its well-behaved clients."""

    def __init__(self, program, folder, revokes=True, peers=None, has_nmea=False):
        self.folder = Path(folder)
        self.folder.chmod(0o755)
        self.programs = Programs(folder)
        self.receiver = Receiver()
        addresses = Addresses(folder).choose() if has_nmea else None
        further = [f"socket:{addresses.socket}"] if addresses else []
        self.daemon = Daemon(program, folder, self.receiver.specification, peers, further_receivers=further)
        self.nmea = Instances(self.daemon, addresses) if addresses else None
        uid = os.getuid()
        self.apps = subscribed, revoked, caller = [
            App(self.programs, name) for name in ("subscribed", "revoked", "caller")]
        self.daemon.grant(subscribed.identity, uid)
        path = self.daemon.location
        self.fixes = FixMeter(subscribed, path, self.receiver).start()
        self.meters = {
            "control": EchoMeter().start(), "port": PortMeter().start(), "fixes": self.fixes,
            "replies": ReplyMeter(caller, path).start()}
        if revokes:
            self.meters["disk"] = EchoMeter(self.folder / "control").start()
        self.fixes.await_fixes(self.daemon.check)
        self.revocations = RevocationMeter(revoked, uid, self.daemon)
        if revokes:
            self.meters["revocations"] = self.revocations.start()

    def phase(self, name):
        return Phase(name, self.daemon, self.meters)

    def receiver_usage(self, seconds):
        """Returns the daemon's usage while it only sends its receiver's fixes to one app."""
        for meter in self.meters.values():
            meter.pausing.set()
        time.sleep(1)
        usage = Usage(self.daemon)
        time.sleep(seconds)
        usage.stop()
        for meter in self.meters.values():
            meter.pausing.clear()
        return usage

    def stop(self):
        """Ends everything. Returns a description of a fault at the daemon's end, or None."""
        for meter in self.meters.values():
            meter.stop()
        for app in self.apps:
            app.stop()
        faults = self.nmea.stop() if self.nmea else []
        faults.append(self.daemon.stop())
        self.receiver.close()
        return "; ".join(filter(None, faults)) or None
