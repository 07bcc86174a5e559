"""A system bus of its own, run by the real dbus-daemon."""

import os
from pathlib import Path

from programs import Running
from waiting import until

# The rules that the package installs, for the user of the daemon.
RULES = Path(__file__).parent.parent.parent / "data/dbus"
CONFIGURATION = Path(__file__).parent.parent / "Support/Buses/bus.conf"


class PrivateBus:
    """A running bus. `environment` makes a program use it as the system bus."""

    def __init__(self, folder, name="bus"):
        path = folder / name
        file = folder / f"{name}.conf"
        includes = []
        for rules in RULES.glob("*.conf"):
            (folder / rules.name).write_text(rules.read_text().replace('user="locationd"', f'user="{os.getuid()}"'))
            includes.append(f"<include>{rules.name}</include>")
        file.write_text(CONFIGURATION.read_text().replace("@PATH@", str(path)).replace("@ELEMENTS@", "".join(includes)))
        self.address = f"unix:path={path}"
        self.environment = {"DBUS_SYSTEM_BUS_ADDRESS": self.address}
        self.daemon = Running(["dbus-daemon", f"--config-file={file}", "--nofork", "--nopidfile"], folder)
        until(path.exists, "the bus")

    def stop(self):
        self.daemon.stop()
