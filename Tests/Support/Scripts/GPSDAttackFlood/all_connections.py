connections = []
for _ in range(600):
    try:
        connections.append(connect_tcp())
    except OSError:
        pass
fixes_go_by()
served = 0
for connection in connections:
    text = line(connection)
    served += text is not None and "VERSION" in text
print(0 < served <= 256)
