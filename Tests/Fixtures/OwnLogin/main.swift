import Glibc
import PeerIdentity

// Waits for a line, and prints the logins of the ids 0 and -1, which no process has, and its own.
_ = readLine()
for pid in [0, -1, getpid()] {
    switch try Login.owner(of: pid) {
    case .session(let session): print("session \(session)")
    case .userManager(let uid): print("user manager \(uid)")
    case nil: print("none")
    }
}
