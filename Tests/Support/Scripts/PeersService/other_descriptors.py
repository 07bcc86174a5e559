own, other = os.pidfd_open(os.getpid()), sys.argv[2]
print(ask(f"identity 65534 {other}", own))
print(ask(f"executable {other}", own))
print(ask("executable", own) == "executable " + os.path.realpath(sys.executable))
# Nothing but the descriptor of a process says which; and of several, the first.
print(ask("identity 65534"))
print(ask("identity 65534", os.open(f"/proc/{other}", os.O_RDONLY)))
print(ask("executable", own, os.pidfd_open(int(other))) == "executable " + os.path.realpath(sys.executable))
# Invalid requests end the connection, and the service continues.
print(ask("x" * 20000), ask("grant everything"))
print(ask("executable", own) == "executable " + os.path.realpath(sys.executable))
