package import AuthorizationPolicy
package import Linux
package import PeerIdentity

/// A protocol for apps to reach the service. Each front creates its own.
package struct Front: Sendable, Hashable {
    /// The name for users who manage, such as `varlink`.
    package let name: String

    package init(name: String) { self.name = name }
}

/// The kernel's record of the other end of a connection, for identifying the app.
package enum PeerEvidence: Sendable {
    /// The process that connected. ``Client/openProcess()`` opens it.
    case process
    /// The TCP socket that connected. It has an owner, but the processes that hold it have to be looked up.
    case socket(TCPSocketOwner)
}

/// The connection of an app to a front.
///
/// A front creates one for each connection that it accepts, and keeps it until the connection is closed.
package protocol Client: AnyObject {
    /// The front that accepted the connection.
    var front: Front { get }
    /// The kernel's record of the other end. Does not change.
    var evidence: PeerEvidence { get }
    /// The id of the process that connected, or 0 if only its socket is known. ``Peers/processes(of:)`` are the
    /// processes behind a connection of either kind.
    var pid: Int32 { get }
    /// The effective user id of the process, or the owner of the socket.
    var uid: UInt32 { get }
    /// Returns a descriptor of the process. Throws if the process is no longer alive. Not called for a socket.
    func openProcess() throws(IdentityRefusal) -> ProcessDescriptor
    /// Closes the connection, because the process has ended.
    func close()
}
