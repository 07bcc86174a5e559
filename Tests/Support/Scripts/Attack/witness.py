# The file begins with FIXES, the path of a file with a line for each fix.
import time

# Waits until the client with a grant has received some more fixes.
def fixes_go_by(count=3):
    written = lambda: open(FIXES).read().count("\n")
    before = written()
    while written() < before + count:
        time.sleep(0.01)
