"""A service manager with one unit: `one_unit.py FOLDER PROGRAM ARGUMENT...`, for a systemctl by script.

The unit runs while FOLDER/enabled exists. FOLDER/status has the last status that it has reported.
"""

import ctypes
import os
import signal
import socket
import subprocess
import sys

folder, command = sys.argv[1], sys.argv[2:]
path = folder + "/notify"


def end_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
notify.bind(path)
notify.settimeout(0.05)
unit = None
print("ready", flush=True)
while True:
    is_enabled = os.path.exists(folder + "/enabled")
    if is_enabled and not unit:
        unit = subprocess.Popen(command, env=os.environ | {"NOTIFY_SOCKET": path}, preexec_fn=end_with_parent)
    elif unit and not is_enabled:
        unit.terminate()
        unit.wait()
        unit = None
    try:
        text = notify.recv(65536).decode()
    except TimeoutError:
        continue
    for line in text.splitlines():
        if line.startswith("STATUS="):
            with open(folder + "/status.new", "w") as file:
                file.write(line.removeprefix("STATUS=") + "\n")
            os.rename(folder + "/status.new", folder + "/status")
