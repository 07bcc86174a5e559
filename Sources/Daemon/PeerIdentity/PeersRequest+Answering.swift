internal import AuthorizationPolicy
public import Linux
internal import LocationModel

/// An answer from locationd-peers, with the processes that it is about.
public struct PeersAnswer: Sendable {
    /// The answer.
    public let reply: PeersReply
    /// The processes that hold the sockets. Empty except for ``PeersRequest/holders(of:uid:)``.
    public let processes: [ProcessDescriptor]

    /// Creates an answer.
    public init(_ reply: PeersReply, processes: [ProcessDescriptor] = []) {
        self.reply = reply
        self.processes = processes
    }
}

extension PeersRequest {
    /// Carries out the request with the privileges of this process, and returns the answer. May block for as long as
    /// a file system takes.
    ///
    /// - Parameter pidfd: The descriptor that came with the request, or -1.
    public func answer(pidfd: Int32) -> PeersAnswer {
        switch self {
        case .identity(let uid): PeersAnswer(Self.identity(pidfd: pidfd, uid: uid))
        case .loginOwner: PeersAnswer(Self.loginOwner(pidfd: pidfd))
        case .executable: PeersAnswer(.executable((try? ProcessReader(pidfd: pidfd))?.executable))
        case .startTime: PeersAnswer(.startTime((try? ProcessReader(pidfd: pidfd))?.startTime))
        case .confinement:
            PeersAnswer(.confinement((try? ProcessReader(pidfd: pidfd))?.isConfined ?? true))
        case .holders(let sockets, let uid): Self.holders(of: sockets, uid: uid)
        case .wake(let path, let uid, let line): PeersAnswer(Self.wake(path, of: uid, line: line))
        }
    }

    private static func identity(pidfd: Int32, uid: UInt32) -> PeersReply {
        do throws(IdentityRefusal) {
            return .identity(try ProcessReader(pidfd: pidfd).identity(uid: uid))
        } catch {
            return .refused(error)
        }
    }

    private static func loginOwner(pidfd: Int32) -> PeersReply {
        guard let process = try? ProcessReader(pidfd: pidfd) else { return .owner(nil) }
        do throws(Login.Failure) { return .owner(try process.loginOwner()) } catch { return .failed(error.errno) }
    }

    private static func holders(of sockets: [SocketOrigin], uid: UInt32) -> PeersAnswer {
        let (reply, processes) = HoldersReply.of(SocketHolders.find(sockets, uid: uid))
        return PeersAnswer(.holders(reply), processes: processes)
    }

    private static func wake(_ path: String, of uid: UInt32, line: [UInt8]?) -> PeersReply {
        do throws(WakeRefusal) {
            try WakeSocket.attempt(path, of: uid, line: line)
            return .woken
        } catch {
            return .notWoken(error)
        }
    }
}
