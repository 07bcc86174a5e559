"""An app that requests the location, and waits for the answer.

usage: requesting.py SOCKET
"""
import json
import socket
import sys

connection = socket.socket(socket.AF_UNIX)
connection.connect(sys.argv[1])
parameters = {"level": "always", "reason": "to see"}
call = {"method": "io.locationd.Location.RequestAuthorization", "parameters": parameters}
connection.sendall(json.dumps(call).encode() + b"\0")
print(connection.recv(65536), flush=True)
