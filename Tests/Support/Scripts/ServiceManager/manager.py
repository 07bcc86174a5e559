import json, os, select, signal, socket, sys, time
DAEMON, FOLDER = sys.argv[1:]
NAMES = ["io.locationd.Location", "io.locationd.Manage", "gpsd", "gpsd"]
socket.setdefaulttimeout(120)
os.mkdir(FOLDER + "/run")
listeners = []
for address in [FOLDER + "/run/" + name for name in NAMES[:3]] + [("127.0.0.1", 0)]:
    listener = socket.socket(socket.AF_UNIX if isinstance(address, str) else socket.AF_INET)
    listener.bind(address)
    listener.listen(64)
    listeners.append(listener)
notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
notices.bind(FOLDER + "/notify")

children = []

# No daemon outlives the script, however that ends.
def leave(*_):
    for child in children:
        try:
            os.kill(child, signal.SIGKILL)
        except ProcessLookupError:
            pass
    os._exit(1)

signal.signal(signal.SIGTERM, leave)
report = sys.excepthook
sys.excepthook = lambda *failure: (report(*failure), sys.stderr.flush(), leave())

def start():
    child = os.fork()
    if child:
        children.append(child)
        return child
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # Out of the way first: the sockets may have these numbers themselves.
    copies = [os.dup2(listener.fileno(), 100 + index) for index, listener in enumerate(listeners)]
    for index, copy in enumerate(copies):
        os.dup2(copy, 3 + index)
    os.environ.update(
        LISTEN_FDS=str(len(copies)), LISTEN_PID=str(os.getpid()), LISTEN_FDNAMES=":".join(NAMES),
        NOTIFY_SOCKET=FOLDER + "/notify", WATCHDOG_PID=str(os.getpid()), **ENVIRONMENT)
    os.closerange(3 + len(copies), 200)
    os.execv(DAEMON, [
        DAEMON, "--runtime-directory", FOLDER + "/run", "--state-directory", FOLDER + "/state", "--config",
        FOLDER + "/locationd.toml", "--receiver", "simulated"])

# The next notice, except for notices of the watchdog.
def told():
    while True:
        notice = notices.recv(4096).decode()
        if notice != "WATCHDOG=1":
            return notice

def ended(child):
    children.remove(child)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

def is_asked_for():
    return bool(select.select(listeners, [], [], 0)[0])

def connect():
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(FOLDER + "/run/" + NAMES[0])
    return connection

# A client of gpsd, which the daemon greets before it says anything: on the Unix socket, or over TCP.
def connect_to_gpsd(index):
    connection = socket.socket(listeners[index].family)
    connection.connect(listeners[index].getsockname())
    return connection

def greeting(connection):
    return json.loads(connection.makefile().readline())["class"]

def ask(connection, method="GetAuthorization"):
    connection.sendall(json.dumps({"method": NAMES[0] + "." + method}).encode() + b"\0")
    answer = b""
    while not answer.endswith(b"\0"):
        part = connection.recv(4096)
        if not part:
            return "closed"
        answer += part
    return " ".join(json.loads(answer[:-1])["parameters"])
