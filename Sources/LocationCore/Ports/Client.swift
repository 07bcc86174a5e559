package import AuthorizationPolicy
package import Linux

/// The connection of a process to a front.
///
/// A front creates one for each connection that it accepts, and keeps it until the connection is closed.
package protocol Client: AnyObject {
    /// The id of the process that connected.
    var pid: Int32 { get }
    /// The effective user id of the process.
    var uid: UInt32 { get }
    /// Returns a descriptor of the process. Throws if the process is no longer alive.
    func openProcess() throws(IdentityRefusal) -> ProcessDescriptor
    /// Closes the connection, because the process has ended.
    func close()
}
