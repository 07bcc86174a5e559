child = start()
told()
for _ in range(3):
    print(notices.recv(4096).decode())
os.kill(child, signal.SIGTERM)
# They are no longer read: once ten of them waited there, the daemon would wait too, and not end.
notices.close()
print(ended(child))
