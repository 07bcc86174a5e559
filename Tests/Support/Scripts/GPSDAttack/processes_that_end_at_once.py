for _ in range(300):
    child = os.fork()
    if child == 0:
        watch()
        os._exit(0)
    end(child)
print("done")
