package import AuthorizationPolicy
package import Linux

/// A connection of a process to a front: who is at the other end.
///
/// A front makes one for each connection that it accepts, and keeps it until that is closed.
package protocol Client: AnyObject {
    /// The process that connected.
    var pid: Int32 { get }
    /// Its effective user.
    var uid: UInt32 { get }
    /// Returns the process itself, which is alive.
    func openProcess() throws(IdentityRefusal) -> ProcessDescriptor
    /// Closes the connection: the process has ended.
    func close()
}
