internal import AuthorizationPolicy
internal import Linux
internal import LocationModel
internal import PeerIdentity

/// The facts about a peer that are needed before its calls are handled.
struct PeerFacts: Sendable {
    /// The peer's app.
    let identity: AppIdentity
    /// The peer's processes: one, or all that hold its socket.
    let processes: [ProcessFacts]
    /// A Boolean value indicating whether the peer is in a sandbox or a container of any kind, or may be. Looked up for
    /// the management socket only; `true` otherwise.
    var isConfined = true
}

/// The facts about one process of a peer.
struct ProcessFacts: Sendable {
    /// The process.
    let process: ProcessDescriptor
    /// The login that the process belongs to, or `nil` for none. A failure if it was not looked up, or is not known.
    let loginOwner: Result<Login.Owner?, Login.Failure>
    /// The file that the process runs, or `nil` if it cannot be read.
    let executable: String?
    /// The time when the process started, in clock ticks since the machine's start, or `nil` if it cannot be read.
    let startTime: UInt64?
}

/// The outcome of the look-up of one socket: see `SocketHolders.Outcome`.
enum SocketOutcome: Sendable {
    case found(PeerFacts)
    case refused(IdentityRefusal)
    case postponed
}

extension PeerIdentifying {
    /// Returns the facts about a process of user `uid`, or the reason why it is refused.
    func facts(
        of process: ProcessDescriptor, uid: UInt32, wantsLogin: Bool, wantsConfinement: Bool
    ) -> Result<PeerFacts, IdentityRefusal> {
        do throws(IdentityRefusal) {
            let app = try identity(of: process, uid: uid)
            var peer = PeerFacts(identity: app, processes: [facts(of: process, wantsLogin: wantsLogin)])
            if wantsConfinement { peer.isConfined = isConfined(process) }
            return .success(peer)
        } catch {
            return .failure(error)
        }
    }

    /// Returns the facts about the peers that have these sockets, which user `uid` created.
    ///
    /// Attack: 10,000 connections are made and closed, and each of them costs a search. So the kernel is asked first
    /// which sockets are connected. It is asked again afterwards: see ``TCPSocketOwner/isConnected``.
    func facts(of sockets: [TCPSocketOwner], uid: UInt32, wantsLogin: Bool) -> [SocketOutcome] {
        var facts = sockets.map { _ in SocketOutcome.refused(.socketElsewhere) }
        let connected = sockets.indices.filter { sockets[$0].isConnected }
        guard !connected.isEmpty else { return facts }
        let outcomes: [SocketHolders.Outcome]
        do throws(IdentityRefusal) { outcomes = try holders(of: connected.map { sockets[$0].origin }, uid: uid) } catch
        {
            for index in connected { facts[index] = .refused(error) }
            return facts
        }
        var processes: [ObjectIdentifier: ProcessFacts] = [:]
        for (index, outcome) in zip(connected, outcomes) {
            switch outcome {
            case .refused(let refusal): facts[index] = .refused(refusal)
            case .postponed: facts[index] = .postponed
            case .found(let holders):
                for process in holders.processes where processes[ObjectIdentifier(process)] == nil {
                    processes[ObjectIdentifier(process)] = self.facts(of: process, wantsLogin: wantsLogin)
                }
                let known = holders.processes.compactMap { processes[ObjectIdentifier($0)] }
                if sockets[index].isConnected {
                    facts[index] = .found(PeerFacts(identity: holders.app, processes: known))
                }
            }
        }
        return facts
    }

    /// Returns the login that a process belongs to, or the reason why that is not known.
    func login(of process: ProcessDescriptor) -> Result<Login.Owner?, Login.Failure> {
        do throws(Login.Failure) { return .success(try loginOwner(of: process)) } catch { return .failure(error) }
    }

    private func facts(of process: ProcessDescriptor, wantsLogin: Bool) -> ProcessFacts {
        ProcessFacts(
            process: process, loginOwner: wantsLogin ? login(of: process) : .failure(Login.Failure(errno: 0)),
            executable: executable(of: process), startTime: startTime(of: process))
    }
}
