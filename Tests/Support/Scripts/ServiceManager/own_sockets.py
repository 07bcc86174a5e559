before = os.stat(FOLDER + "/run/gpsd").st_ino
child = start()
told()
print(greeting(connect_to_gpsd(2)))
print(os.stat(FOLDER + "/run/gpsd").st_ino == before)
os.kill(child, signal.SIGTERM)
told()
print(ended(child))
