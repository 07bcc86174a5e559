import os, shutil, sys
folder, socket, count, ask = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
shutil.copyfile(os.path.realpath(sys.executable), folder + "/python")
os.chmod(folder + "/python", 0o755)
for index in range(count):
    place = folder + "/%d" % index + ("/" + "x" * 250) * 15
    os.makedirs(place)
    os.link(folder + "/python", place + "/app")
    if os.fork() == 0:
        os.execv(place + "/app", ["app", "-I", "-S", "-c", ask, socket])
while True:
    os.wait()
