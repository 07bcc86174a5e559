import array, functools, json, os, signal, socket, sys, time
# Unwritten output is lost when a program becomes another one.
print = functools.partial(print, flush=True)
RUNTIME, GRANTED, OTHER = (os.environ["ATTACK_" + name] for name in ("SOCKET", "GRANTED", "OTHER"))
DAEMON = int(os.environ["ATTACK_DAEMON"])

socket.setdefaulttimeout(120)

def new():
    made = socket.socket(socket.AF_UNIX)
    made.set_inheritable(True)
    return made

def connect(made=None):
    made = made or new()
    made.connect(RUNTIME + "/io.locationd.Location")
    return made

def send(connection, method, parameters={}, **fields):
    message = {"method": "io.locationd.Location." + method, "parameters": parameters, **fields}
    connection.sendall(json.dumps(message).encode() + b"\0")

# In a word: location, another reply's keys, an error's name, or closed.
def receive(connection):
    answer = b""
    try:
        while not answer.endswith(b"\0"):
            byte = connection.recv(1)
            if not byte:
                return "closed"
            answer += byte
    except (ConnectionError, BrokenPipeError):
        return "closed"
    answer = json.loads(answer[:-1])
    if "error" in answer:
        return " ".join([answer["error"].split(".")[-1], *map(str, answer.get("parameters", {}).values())])
    return "location" if "latitude" in json.dumps(answer) else " ".join(answer["parameters"])

def ask(connection=None, method="GetLocation", parameters={}, **fields):
    connection = connection or connect()
    # The simulated receiver has a location once a second, and a processor whenever it gets one.
    if method == "GetLocation" and not parameters:
        parameters = {"timeout": 100}
    try:
        send(connection, method, parameters, **fields)
    except (ConnectionError, BrokenPipeError):
        return "closed"
    return receive(connection)

# Keeps the daemon from looking until it is let go on: waits for each of its threads to stand.
def halt():
    os.kill(DAEMON, signal.SIGSTOP)
    tasks = f"/proc/{DAEMON}/task"
    states = lambda: {open(f"{tasks}/{task}/stat").read().rsplit(")", 1)[1].split()[0] for task in os.listdir(tasks)}
    while states() != {"T"}:
        time.sleep(0.001)

def go_on():
    os.kill(DAEMON, signal.SIGCONT)

# Starts a program on a script; the sockets are inherited under their numbers.
def start(program, script, *arguments):
    child = os.fork()
    if child == 0:
        become(program, script, *arguments)
    return child

def become(program, script, *arguments):
    os.execv(program, [program, "-c", "from attack import *\n" + script, *map(str, arguments)])

def end(child):
    assert os.waitpid(child, 0)[1] == 0

# Gives the id of a process that has ended to one that runs a program, which stays until it is killed. Returns
# whether that was possible: a process or thread of another test that was started meanwhile may have the id.
def reuse(pid, program):
    while not os.path.exists(f"/proc/{pid}"):
        with open("/proc/sys/kernel/ns_last_pid", "w") as file:
            file.write(str(pid - 1))
        child = os.fork()
        if child == 0:
            if os.getpid() != pid:
                os._exit(0)
            become(program, "signal.pause()")
        if child == pid:
            while os.readlink(f"/proc/{pid}/exe") != program:
                time.sleep(0.001)
            return True
        os.waitpid(child, 0)
    return False
