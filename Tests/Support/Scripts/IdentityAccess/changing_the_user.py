NOBODY = 65534
connection, late = connect(), new()
os.setresgid(NOBODY, NOBODY, NOBODY)
# The saved user stays root's, so that it could go back.
os.setresuid(NOBODY, NOBODY, 0)
print(ask(connection))
print(ask(connect(late)))
