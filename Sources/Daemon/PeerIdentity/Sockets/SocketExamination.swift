internal import AuthorizationPolicy
internal import Glibc
internal import Linux
internal import LocationModel

/// The examination of the processes that hold a user's sockets: each process once, however many sockets it holds.
struct SocketExamination {
    private let holders: [UInt32: [SocketSearch.Holder]]
    /// The processes that were examined. `nil` if the process had ended.
    private var processes: [pid_t: HolderProcess?] = [:]

    /// Examines the processes that hold the first of these sockets, ``SocketHolders/maximumCount`` at most.
    init(
        of sockets: [SocketOrigin], uid: UInt32, holders: [UInt32: [SocketSearch.Holder]]
    ) throws(IdentityRefusal) {
        self.holders = holders
        for (pid, held) in plan(for: sockets) {
            processes.updateValue(try HolderProcess(pid, holding: held, uid: uid), forKey: pid)
        }
    }

    /// Returns the processes to examine, each with the sockets that it holds.
    private func plan(for sockets: [SocketOrigin]) -> [pid_t: [HolderProcess.Held]] {
        var plan: [pid_t: [HolderProcess.Held]] = [:]
        for socket in sockets {
            let holders = holders[socket.inode] ?? []
            let further = holders.count { plan[$0.pid] == nil }
            guard plan.count + further <= SocketHolders.maximumCount else { continue }
            for holder in holders { plan[holder.pid, default: []].append((socket, holder)) }
        }
        return plan
    }

    /// Returns the outcome for one of the sockets.
    func outcome(for socket: SocketOrigin) -> SocketHolders.Outcome {
        let holders = holders[socket.inode] ?? []
        guard holders.count <= SocketHolders.maximumCount else { return .refused(.socketHeldByMany) }
        guard holders.allSatisfy({ processes.keys.contains($0.pid) }) else { return .postponed }
        var app: AppIdentity?
        var found: [ProcessDescriptor] = []
        for holder in holders {
            // A process that has ended no longer holds anything.
            guard let process = processes[holder.pid] ?? nil else { continue }
            switch process.app(holding: socket) {
            case .failure(let refusal): return .refused(refusal)
            case .success(let next):
                guard app ?? next == next else { return .refused(.socketShared) }
                app = next
                found.append(process.descriptor)
            }
        }
        guard let app else { return .refused(.socketNotHeld) }
        return .found(SocketHolders(app: app, processes: found))
    }
}
