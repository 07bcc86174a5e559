internal import AuthorizationPolicy
internal import EventLoopSupport
internal import NIOCore
internal import PeerIdentity

/// Looks up the processes that hold sockets, in one search for all of a user's waiting sockets.
///
/// A look-up searches everything that the user's processes have open. With a search for each socket, a thousand
/// connections of one process would cause a million descriptors to be read. Confined to the event loop.
final class SocketLookups {
    /// The maximum number of searches for a socket, and the time between two of them.
    ///
    /// A process that starts another one has a copy that holds its sockets until the copy becomes the other program
    /// (fork(2), execve(2)). For these milliseconds, the socket appears to pass from one app to another.
    static let maximumAttempts = 5
    static let retryDelay = TimeAmount.milliseconds(100)

    private let identifier: any PeerIdentifying
    private let loop: any EventLoop
    private let work: BlockingWork
    private var users: [UInt32: Waiting] = [:]
    /// The look-ups that are tried again after a delay.
    private var delayed: [ObjectIdentifier: SocketLookup] = [:]

    /// The look-ups of one user.
    private struct Waiting {
        var lookups: [SocketLookup] = []
        var isSearching = false
    }

    /// - Parameters:
    ///   - identifier: Makes the searches, on the threads of `work`.
    ///   - work: Runs one search of a user at a time.
    init(_ identifier: any PeerIdentifying, on loop: any EventLoop, _ work: BlockingWork) {
        self.identifier = identifier
        self.loop = loop
        self.work = work
    }

    /// Looks up the processes that hold a socket. Succeeds with the facts, or with the reason for a refusal.
    ///
    /// - Parameters:
    ///   - owner: The user to count the search for: the socket's user, or the owner of a subordinate one.
    ///   - wantsLogin: `true` if the logins are needed too.
    func facts(
        of socket: TCPSocketOwner, countedFor owner: UInt32, wantsLogin: Bool
    ) -> BlockingWork.Request<Result<PeerFacts, IdentityRefusal>> {
        let lookup = SocketLookup(socket, owner: owner, wantsLogin: wantsLogin, on: loop)
        add(lookup)
        return BlockingWork.Request(result: lookup.promise.futureResult) { self.withdraw(lookup) }
    }

    /// Refuses the sockets waiting for another attempt. To be called after `work` was stopped, which refuses the
    /// others.
    func stop() {
        for lookup in delayed.values { lookup.finish(.failure(.unanswered)) }
        delayed = [:]
    }

    private func add(_ lookup: SocketLookup) {
        users[lookup.uid, default: Waiting()].lookups.append(lookup)
        searchNext(lookup.uid)
    }

    private func withdraw(_ lookup: SocketLookup) {
        delayed[ObjectIdentifier(lookup)] = nil
        users[lookup.uid]?.lookups.removeAll { $0 === lookup }
        lookup.finish(.failure(.unanswered))
    }

    private func searchNext(_ uid: UInt32) {
        guard let waiting = users[uid], !waiting.isSearching else { return }
        let batch = Array(waiting.lookups.prefix(PeersRequest.maximumSockets))
        guard !batch.isEmpty else { return users[uid] = nil }
        users[uid]?.lookups.removeFirst(batch.count)
        users[uid]?.isSearching = true
        let sockets = batch.map(\.socket)
        let wantsLogin = batch.contains(where: \.wantsLogin)
        let request = work.run(for: batch[0].owner) { [identifier] in
            identifier.facts(of: sockets, uid: uid, wantsLogin: wantsLogin)
        }
        request.result.assumeIsolated().whenComplete { result in
            self.users[uid]?.isSearching = false
            switch result {
            case .success(let outcomes): self.settle(batch, outcomes, of: uid)
            case .failure: self.giveUp(batch, of: uid)
            }
            self.searchNext(uid)
        }
    }

    private func settle(_ batch: [SocketLookup], _ outcomes: [SocketOutcome], of uid: UInt32) {
        var postponed: [SocketLookup] = []
        for (lookup, outcome) in zip(batch, outcomes) where !lookup.isFinished {
            lookup.attempts += 1
            switch outcome {
            case .found(let facts): lookup.finish(.success(facts))
            case .refused(.socketShared) where lookup.attempts < Self.maximumAttempts: tryAgain(lookup)
            case .refused(let refusal): lookup.finish(.failure(refusal))
            case .postponed:
                lookup.attempts -= 1
                postponed.append(lookup)
            }
        }
        users[uid]?.lookups.insert(contentsOf: postponed, at: 0)
    }

    private func tryAgain(_ lookup: SocketLookup) {
        delayed[ObjectIdentifier(lookup)] = lookup
        lookup.timer.set(in: Self.retryDelay) {
            self.delayed[ObjectIdentifier(lookup)] = nil
            self.add(lookup)
        }
    }

    /// Refuses a user's sockets because a search did not end, or the service is stopping. A further search would wait
    /// behind the hanging one.
    private func giveUp(_ batch: [SocketLookup], of uid: UInt32) {
        for lookup in batch + (users[uid]?.lookups ?? []) { lookup.finish(.failure(.unanswered)) }
        users[uid]?.lookups = []
    }
}

/// A look-up of the processes that hold a socket.
private final class SocketLookup {
    let socket: TCPSocketOwner
    let owner: UInt32
    let wantsLogin: Bool
    let promise: EventLoopPromise<Result<PeerFacts, IdentityRefusal>>
    let timer: LoopTimer
    /// The number of searches that had an outcome.
    var attempts = 0
    private(set) var isFinished = false

    var uid: UInt32 { socket.uid }

    init(_ socket: TCPSocketOwner, owner: UInt32, wantsLogin: Bool, on loop: any EventLoop) {
        self.socket = socket
        self.owner = owner
        self.wantsLogin = wantsLogin
        promise = loop.makePromise()
        timer = LoopTimer(on: loop)
    }

    /// Ends the look-up, unless it has ended.
    func finish(_ result: Result<PeerFacts, IdentityRefusal>) {
        guard !isFinished else { return }
        isFinished = true
        timer.cancel()
        promise.succeed(result)
    }
}
