for _ in range(300):
    child = os.fork()
    if child == 0:
        bus = Bus(ADDRESS)
        bus.send(NAME, MANAGER, NAME + ".Manager", "GetClient")
        os._exit(0)
    end(child)
print("done")
