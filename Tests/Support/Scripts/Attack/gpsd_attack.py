# The functions that the scripts share. The file begins with PORT and GPSD, the path of gpsd's socket. A connection is
# given one of: `fix`, `no fix`, `refused` (an error and no report), `closed`.
from attack import *
from witness import fixes_go_by
WATCH = b'?WATCH={"enable":true,"json":true};\n'

def new_tcp():
    made = socket.socket()
    made.set_inheritable(True)
    return made

def connect_tcp(made=None, port=PORT):
    made = made or new_tcp()
    made.connect(("127.0.0.1", port))
    return made

# The next line, without its end, or None if the connection is closed.
def line(connection):
    text = b""
    try:
        while not text.endswith(b"\n"):
            byte = connection.recv(1)
            if not byte:
                return None
            text += byte
    except (ConnectionError, BrokenPipeError):
        return None
    return text.decode().rstrip()

def request(connection, text):
    try:
        connection.sendall(text)
    except (ConnectionError, BrokenPipeError):
        pass

def watch(connection=None):
    connection = connection or connect_tcp()
    request(connection, WATCH)
    return connection

# Waits for the next fix of a client with a grant. Returns its time.
def fix(connection):
    while (text := line(connection)) is not None:
        report = json.loads(text)
        if report["class"] == "TPV" and "lat" in report:
            return report["time"]
    return "closed"

# The answers to clients while others receive fixes, once the daemon has found out which apps they are.
def outcomes(connections):
    for connection in connections:
        watch(connection)
    before = [answers(connection) for connection in connections]
    fixes_go_by()
    return [outcome_of(connection, seen) for connection, seen in zip(connections, before)]

def outcome(connection=None):
    return outcomes([connection or connect_tcp()])[0]

def outcome_of(connection, before):
    after = answers(connection)
    if before is None or after is None:
        return "closed"
    seen = before | after
    return "fix" if "fix" in seen else "no fix" if "no fix" in seen else "refused"

# The kinds of reports until the daemon has answered all requests so far, or None if the connection is closed.
def answers(connection):
    request(connection, b"?MARK;")
    seen = set()
    while (text := line(connection)) is not None:
        report = json.loads(text)
        if report["class"] == "TPV":
            seen.add("fix" if "lat" in report else "no fix")
        elif report["class"] == "ERROR" and "?MARK" in report["message"]:
            return seen
    return None
