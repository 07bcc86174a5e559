package import AuthorizationPolicy
internal import CLinux
internal import Glibc
package import Linux
internal import LocationCore
internal import PeerIdentity
internal import Varlink

extension Connection: Client {
    package var pid: Int32 { peer.pid }
    package var uid: UInt32 { peer.uid }

    /// Returns the process that connected, which is alive.
    ///
    /// Where the kernel has no SO_PEERPIDFD (before Linux 6.5), it may have been replaced between its connecting and
    /// this call; from here on it cannot be.
    package func openProcess() throws(IdentityRefusal) -> ProcessDescriptor {
        let process: ProcessDescriptor
        if let pidfd = peer.pidfd { process = pidfd } else { process = try Self.process(peer.pid) }
        guard process.isAlive else { throw .processGone }
        return process
    }

    private static func process(_ pid: Int32) throws(IdentityRefusal) -> ProcessDescriptor {
        let descriptor = process_open(pid)
        guard descriptor >= 0 else { throw .processGone }
        return ProcessDescriptor(owning: descriptor)
    }
}
