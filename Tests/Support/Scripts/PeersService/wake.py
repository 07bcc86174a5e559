own, other = (f"{os.path.dirname(sys.argv[1])}/{uid}/app" for uid in (12345, 12346))
event = '{"method":"io.locationd.Location.MonitorVisits","parameters":{}}'
print(ask(f"check 12345 {own}"))
print("not a stream socket" in ask(f"check 12345 {other}"))
# Attack: the daemon has been taken over, and finds out which files other users and root have.
hidden = os.path.dirname(other)
paths = other, f"{hidden}/none", "/etc/shadow", "/etc/none", "/root", "/root/none", os.path.dirname(own)
refusals = {ask(f"check {uid} {path}").replace(path, "PATH").replace(f"user {uid} ", "user U ")
            for path in paths for uid in (0, 12345, 65534)}
print(len(refusals), "not a stream socket" in refusals.pop())
print(ask(f"wake 12345 {own}\n{event}"))
print("not absolute" in ask(f"wake 12345 app\n{event}"))
lines = "hello", event + "\n", event + "x" * 9000, event[:-1], event + "{}"
print([ask(f"wake 12345 {own}\n{line}")[-8:] for line in lines])
