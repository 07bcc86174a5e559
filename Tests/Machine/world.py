"""Shared by the steps: the machine, its users and a few queries to locationd."""

import json
from datetime import datetime

from deadline import SLOWNESS
from dongle import COORDINATES
from guest import Failed

#: The identity of alice's and bob's app. It has no sandbox, so its executable identifies it.
APP = "exe:/usr/bin/locationctl"

#: A timeout in seconds. In software emulation on a busy host, a program takes seconds to start.
PATIENCE = 60


class World:
    """The machine of a run, with its users."""

    def __init__(self, machine, report):
        self.machine = machine
        self.report = report
        #: locationd's name for the dongle.
        self.receiver = None
        #: The files on the machine before the package was installed.
        self.files_before = None
        #: The status of the public socket before any container had it.
        self.socket_before = None
        #: The streams that continue from one step to the next.
        self.streams = {}

    @property
    def root(self):
        """The administrator."""
        return self.machine.guests["root"]

    @property
    def alice(self):
        """A user at the machine, whose session is in the foreground."""
        return self.machine.guests["alice"]

    @property
    def bob(self):
        """Another logged-in user, who has the machine's screen when alice does not."""
        return self.machine.guests["bob"]

    def boot(self):
        """Starts the machine and waits for all users to log in."""
        self.machine.power_on()
        self.wait_for_logins()

    def wait_for_logins(self):
        """Waits until the machine has booted and all users are logged in."""
        for guest in self.machine.guests.values():
            guest.wait_for_login(300)
        state = self.root.try_run("systemctl is-system-running --wait", 300)[1]
        assert state == "running", f"{state}:\n{self.root.run('systemctl --failed')}"
        self.root.run("loginctl activate $(loginctl show-user alice --property=Display --value)")

    def receivers(self):
        """Returns the output of `locationctl receivers`."""
        return json.loads(self.root.run("locationctl receivers --json"))

    def grant(self, app, uid, level="--when-in-use"):
        """Grants an app the location for a user, as the administrator."""
        self.root.run(f"locationctl grant {app} {level} --uid {uid}")

    def session_of(self, user):
        """Returns the id of a user's login session."""
        return self.root.run(f"loginctl show-user {user} --property=Display --value")

    def location(self, guest, options=""):
        """Returns a location that an app of the user receives."""
        return json.loads(guest.run(f"locationctl get --json --timeout {PATIENCE * SLOWNESS} {options}", PATIENCE))

    def refused(self, guest, options=""):
        """Checks that an app of the user gets no location, for lack of an authorization."""
        status, output = guest.try_run(f"locationctl get --timeout 3 {options}", PATIENCE)
        assert status == 4, f"exit status {status}, not 4:\n{output}"
        assert not COORDINATES.search(output), f"the output contains a place:\n{output}"

    def main_process(self):
        """Returns the process id of the daemon."""
        pid = self.root.run("systemctl show --property=MainPID --value locationd.service")
        assert pid != "0", "locationd is not running"
        return pid

    def stop_streams(self):
        """Ends the streams that are still running."""
        self.streams.clear()
        self.root.try_run("pkill -x locationctl")


class Stream:
    """`locationctl watch`, run by a user."""

    def __init__(self, guest, options=""):
        self.job = guest.start(f"exec locationctl watch --json --no-pauses {options}")

    def wait_for(self, event, seconds=PATIENCE):
        """Returns the next update with this event, and its line, whose time of arrival is `line.time`."""
        line = self.job.wait_for_line(f"the event {event}", lambda text: f'"event":"{event}"' in text, seconds)
        return json.loads(line), line

    def wait_for_fix_since(self, moment, seconds=PATIENCE):
        """Returns the line of the next fix that the dongle sent after `moment`, in seconds since 1970. The dongle uses
        this machine's clock."""
        def is_new(text):
            update = json.loads(text)
            return update["event"] == "location" and datetime.fromisoformat(
                update["location"]["timestamp"]).timestamp() > moment
        return self.job.wait_for_line("a fix of now", is_new, seconds)

    def ends_with(self, status):
        """Waits for the end of the stream. Raises Failed unless its exit status is `status`."""
        ended = self.job.wait_for_end(PATIENCE)
        if ended != status:
            raise Failed(f"the stream ended with status {ended}, not {status}:\n{self.job.end_of_output}")
