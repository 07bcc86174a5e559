/// The steps that lead from a connection's name on the bus to its process.
///
/// The bus knows the process by the id that it had when the connection was made. A newer bus would hand over a
/// descriptor of it as well (`ProcessFD`, dbus 1.15.8 and dbus-broker), but to a connection that receives descriptors:
/// see `csystemd_open_bus` for what others would send to it.
///
/// Attack: a process connects, leaves the connection to a child and ends, and its id becomes another app's. The core
/// checks that what was opened is alive, and belongs to the user who connected; and the bus has to say again that the
/// connection is there, so that its name cannot have been given up since. That is all: if the process had ended
/// before its id was opened, and another one of the same user has the id, the child is taken for that one. Nothing that
/// the bus says reveals it. locationd-geoclue(7) says so.
struct SenderIdentification {
    /// The next thing to do.
    enum Step: Equatable {
        /// Ask the bus for the credentials of the connection.
        case readCredentials
        /// Open the process of this id.
        case openProcess(pid: Int32)
        /// Ask the bus for the id of the connection's process once more.
        case confirm
        /// The process is known.
        case admit(Credentials)
        /// The connection is refused.
        case refuse
    }

    /// The bus's answer about a connection.
    struct Credentials: Equatable {
        let pid: Int32
        let uid: UInt32
    }

    private var known: Credentials?

    /// Begins.
    func begin() -> Step { .readCredentials }

    /// Handles the credentials, or `nil` if the bus does not have them all.
    mutating func received(_ credentials: Credentials?) -> Step {
        // Processes of pid namespaces that the bus cannot see into have the id 0.
        guard let credentials, credentials.pid > 0 else { return .refuse }
        known = credentials
        return .openProcess(pid: credentials.pid)
    }

    /// Handles the attempt to open the process.
    func opened(_ isOpen: Bool) -> Step { isOpen ? .confirm : .refuse }

    /// Handles the second answer of the bus, or `nil` if there is no such connection any more.
    func confirmed(pid: Int32?) -> Step {
        guard let known, pid == known.pid else { return .refuse }
        return .admit(known)
    }
}
