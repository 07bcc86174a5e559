print(ask())
print(ask(connect(), "Subscribe", {}, more=True))
print(ask(connect(), "MonitorVisits", {}, more=True))
