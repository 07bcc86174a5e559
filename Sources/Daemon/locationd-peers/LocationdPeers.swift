internal import CSystemd
internal import ForeignText
internal import Glibc

/// The program that inspects other users' processes for the daemon, which may not do so itself. It finds the app and
/// the login of a process, and checks whether an app's socket can be written to.
///
/// The service manager passes it one listening socket (SOCK_SEQPACKET) and ends it. It has no configuration and no
/// state. Its only input is ``PeersRequest`` from the one user that it serves.
@main
struct LocationdPeers {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 2, arguments.first == "--user", let name = arguments.last else {
            fail("usage: locationd-peers --user USER, with one listening socket from the service manager", status: 2)
        }
        guard let user = uid_t(name) ?? getpwnam(name)?.pointee.pw_uid else { fail("there is no user \(name)") }
        guard sd_listen_fds(1) == 1 else {
            fail("the service manager must pass one socket: see sd_listen_fds(3)")
        }
        do throws(Server.Failure) {
            try Server(listening: SD_LISTEN_FDS_START, user: user).run()
        } catch {
            fail("\(error.call): \(String(cString: strerror(error.errno)))")
        }
    }

    private static func fail(_ message: String, status: CInt = 1) -> Never {
        let line = Array("locationd-peers: \(ForeignText.line(message))\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
        exit(status)
    }
}
