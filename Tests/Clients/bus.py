"""A system bus of its own, run by the real dbus-daemon."""

import os

from programs import Running
from waiting import until

# The rules of Debian's system bus, and those of GeoClue's packages, for the user of this process.
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
    <allow send_destination="org.freedesktop.GeoClue2"/>
  </policy>
  <policy user="{user}">
    <allow own="org.freedesktop.GeoClue2"/>
    <allow send_interface="org.freedesktop.GeoClue2.Agent" send_path="/org/freedesktop/GeoClue2/Agent"/>
    <allow send_interface="org.freedesktop.DBus.Properties" send_path="/org/freedesktop/GeoClue2/Agent"/>
  </policy>
  <limit name="max_connections_per_user">2000</limit>
</busconfig>
"""


class PrivateBus:
    """A running bus. `environment` makes a program use it as the system bus."""

    def __init__(self, folder, name="bus"):
        path = folder / name
        file = folder / f"{name}.conf"
        file.write_text(CONFIGURATION.format(path=path, user=os.getuid()))
        self.address = f"unix:path={path}"
        self.environment = {"DBUS_SYSTEM_BUS_ADDRESS": self.address}
        self.daemon = Running(["dbus-daemon", f"--config-file={file}", "--nofork", "--nopidfile"], folder)
        until(path.exists, "the bus")

    def stop(self):
        self.daemon.stop()
