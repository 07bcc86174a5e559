from attack import *
from witness import FIXES
connection = connect()
send(connection, "Subscribe", more=True)
with open(FIXES, "a", buffering=1) as file:
    while (word := receive(connection)) != "closed":
        if word == "location":
            file.write("\n")
