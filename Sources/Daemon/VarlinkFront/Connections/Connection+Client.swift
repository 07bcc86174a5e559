package import AuthorizationPolicy
internal import CLinux
internal import Glibc
package import Linux
package import LocationCore
internal import PeerIdentity
internal import Varlink

extension Front {
    /// io.locationd.Location, on its Unix socket.
    static let varlink = Front(name: "varlink")
}

extension Connection: Client {
    package var front: Front { .varlink }
    package var evidence: PeerEvidence { .process }
    package var pid: Int32 { peer.pid }
    package var uid: UInt32 { peer.uid }

    /// Returns a descriptor of the process that connected, which is alive.
    ///
    /// If the kernel does not have SO_PEERPIDFD (before Linux 6.5), another process may have taken over the process ID
    /// between connecting and this call. From here on, the descriptor rules that out.
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
