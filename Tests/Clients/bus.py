"""A system bus of its own, run by the real dbus-daemon."""

import os
from pathlib import Path

from programs import Running
from waiting import until

# The rules that the package installs, for the user of the daemon.
RULES = Path(__file__).parent.parent.parent / "dbus"
# Like /usr/share/dbus-1/system.conf: calls and names need a rule, signals and replies do not.
CONFIGURATION = """\
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path={path}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/>
    <deny own="*"/>
    <deny send_type="method_call"/>
    <allow send_type="signal"/>
    <allow send_requested_reply="true" send_type="method_return"/>
    <allow send_requested_reply="true" send_type="error"/>
    <allow receive_type="method_call"/>
    <allow receive_type="method_return"/>
    <allow receive_type="error"/>
    <allow receive_type="signal"/>
    <allow send_destination="org.freedesktop.DBus"/>
  </policy>
  <limit name="max_connections_per_user">2000</limit>
  {includes}
</busconfig>
"""


class PrivateBus:
    """A running bus. `environment` makes a program use it as the system bus."""

    def __init__(self, folder, name="bus"):
        path = folder / name
        file = folder / f"{name}.conf"
        includes = []
        for rules in RULES.glob("*.conf"):
            (folder / rules.name).write_text(rules.read_text().replace('user="locationd"', f'user="{os.getuid()}"'))
            includes.append(f"<include>{rules.name}</include>")
        file.write_text(CONFIGURATION.format(path=path, includes="".join(includes)))
        self.address = f"unix:path={path}"
        self.environment = {"DBUS_SYSTEM_BUS_ADDRESS": self.address}
        self.daemon = Running(["dbus-daemon", f"--config-file={file}", "--nofork", "--nopidfile"], folder)
        until(path.exists, "the bus")

    def stop(self):
        self.daemon.stop()
