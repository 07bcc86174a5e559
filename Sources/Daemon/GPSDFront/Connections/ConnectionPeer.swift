internal import AuthorizationPolicy
internal import CLinux
internal import EventLoopSupport
internal import Linux
internal import LocationCore
internal import PeerIdentity

/// The other end of a connection, as the kernel recorded it.
enum ConnectionPeer {
    /// A process that connected to the Unix socket.
    case process(Peer)
    /// A TCP socket of this machine.
    case socket(TCPSocketOwner)

    /// Reads the peer of a socket that was just accepted.
    ///
    /// - Throws: The reason why the peer cannot be identified.
    init(of socket: CInt) throws(IdentityRefusal) {
        if StreamListener.isUnix(socket) {
            do { self = .process(try Peer(socket: socket)) } catch { throw .processGone }
        } else {
            self = .socket(try TCPSocketOwner(ofPeerOf: socket))
        }
    }

    var evidence: PeerEvidence {
        switch self {
        case .process: .process
        case .socket(let owner): .socket(owner)
        }
    }

    var pid: Int32 {
        if case .process(let peer) = self { peer.pid } else { 0 }
    }

    var uid: UInt32 {
        switch self {
        case .process(let peer): peer.uid
        case .socket(let owner): owner.uid
        }
    }

    /// Returns a descriptor of the process that connected, which is alive.
    func openProcess() throws(IdentityRefusal) -> ProcessDescriptor {
        guard case .process(let peer) = self else { throw .processGone }
        let process: ProcessDescriptor
        if let pidfd = peer.pidfd {
            process = pidfd
        } else {
            let descriptor = process_open(peer.pid)
            guard descriptor >= 0 else { throw .processGone }
            process = ProcessDescriptor(owning: descriptor)
        }
        guard process.isAlive else { throw .processGone }
        return process
    }

    /// Closes the descriptor of the process. The core watches the process with its own.
    mutating func forgetDescriptor() {
        guard case .process(var peer) = self else { return }
        peer.pidfd = nil
        self = .process(peer)
    }
}
