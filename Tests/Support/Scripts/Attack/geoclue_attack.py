# The common part of the scripts. The file begins with ADDRESS, the bus's. An app is given one of: `fix`, `nothing`, or
# the name of an error.
from attack import *
from geoclue_calls import *
from sdbus import *
from witness import fixes_go_by

# The data for an app while another app receives fixes.
def outcome(desktop_id="org.example.App", client=None):
    try:
        client = client or Client(ADDRESS, desktop_id)
        client.call("Start")
        fixes_go_by()
        client.get("Active")
    except Refused as error:
        return error.args[0].split(".")[-1]
    return "fix" if any(signal.member == "LocationUpdated" for signal in client.bus.signals) else "nothing"

# The same for a process that has inherited a connection to the bus, which sd-bus does not let it use.
def outcome_of(descriptor):
    import select
    def arrived():
        data = b""
        while select.select([descriptor], [], [], 0)[0] and (part := os.read(descriptor, 65536)):
            data += part
        return data
    # Earlier messages first: the bus keeps the order of the daemon's messages.
    fixes_go_by(1)
    Bus(ADDRESS).call(NAME, MANAGER, "org.freedesktop.DBus.Peer", "Ping")
    arrived()
    fixes_go_by()
    return "fix" if b"LocationUpdated" in arrived() else "nothing"
