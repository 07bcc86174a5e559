/// The steps from a connection's name on the bus to its process.
///
/// The bus knows the process by the ID that it had when the connection was made. A newer bus would also pass a
/// descriptor of it (`ProcessFD`, dbus 1.15.8 and dbus-broker), but only to a connection that receives descriptors: see
/// `csystemd_open_bus` for what others would send to it.
///
/// Attack: a process connects, leaves the connection to a child and ends, and its ID passes to another app. The core
/// checks that the opened process is alive and belongs to the user who connected. The bus has to confirm that the
/// connection still exists, so its name cannot have been given up since. One gap remains: if the process had ended
/// before its ID was opened, and another process of the same user has the ID, the child is taken for that process.
/// Nothing that the bus reports reveals it. locationd-geoclue(7) documents this.
struct SenderIdentification {
    /// The next step.
    enum Step: Equatable {
        /// Ask the bus for the credentials of the connection.
        case readCredentials
        /// Open the process with this ID.
        case openProcess(pid: Int32)
        /// Ask the bus for the ID of the connection's process once more.
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

    /// Handles the credentials, or `nil` if the bus does not have all of them.
    mutating func received(_ credentials: Credentials?) -> Step {
        // Processes of PID namespaces that the bus cannot see into have the ID 0.
        guard let credentials, credentials.pid > 0 else { return .refuse }
        known = credentials
        return .openProcess(pid: credentials.pid)
    }

    /// Handles the attempt to open the process.
    func opened(_ isOpen: Bool) -> Step { isOpen ? .confirm : .refuse }

    /// Handles the second answer of the bus, or `nil` if the connection no longer exists.
    func confirmed(pid: Int32?) -> Step {
        guard let known, pid == known.pid else { return .refuse }
        return .admit(known)
    }
}
