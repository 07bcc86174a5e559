import LocationModel

@testable import AuthorizationPolicy

/// The daemon around the state machine, reduced to its contract. The broker performs the actions in their order. The
/// store writes in the order of the actions, and reports each result. A crash loses everything that is not on the disk.
/// A start makes a new state machine from the disk.
///
/// A value: a copy is another future of the same daemon.
struct ModelledDaemon: Sendable {
    static let secondsPerDay: Int64 = 86_400
    /// Some minutes after a midnight.
    static let start = 20_834 * secondsPerDay + 1000

    /// Processes of an app. Two are enough: one that has a grant for "once", and another one.
    struct Processes: OptionSet, Sendable, Hashable {
        static let first = Processes(rawValue: 1)
        static let second = Processes(rawValue: 2)
        static let each: [Processes] = [.first, .second]
        let rawValue: UInt8

        var starts: Set<ProcessStart> {
            Set(Self.each.filter(contains).map { ProcessStart(pid: Int32($0.rawValue), ticks: 1) })
        }
    }

    /// An app, with everything about it that the state machine does not keep.
    struct App: Sendable {
        let key: AppKey
        /// The processes with a connection.
        var connected: Processes = []
        /// The requests without an answer.
        var requests: [UInt64] = []
        /// The processes with a grant for "once", in memory (`OnceHolders`).
        var holders: Processes = []
        /// The same processes on the disk.
        var storedHolders: Processes = []
        /// The decision on the disk.
        var stored: Decision?
    }

    /// A write that the store has not finished.
    enum PendingWrite: Sendable {
        case change(Write)
        case holders(Processes, of: Int)
    }

    let scope: ModelScope
    var machine: AuthorizationStateMachine
    var now = Self.start
    var apps: [App]
    /// The writes that the store has not finished, in their order.
    var writes: [PendingWrite] = []
    /// The services switches that are off on the disk: of users or, with `nil`, of the machine.
    var storedServicesOff: Set<UInt32?> = []
    var isRestricted = false
    /// The time of the broker's timer.
    var wake: Int64?
    /// The actions that the last event caused.
    var last: [Action] = []
    /// The number of answers to requests that were not waiting for one.
    var surplusAnswers = 0
    private var nextRequest: UInt64 = 1
    private var lastPrompt: UInt64 = 0
    private var starts: UInt64 = 1

    init(_ scope: ModelScope) {
        self.scope = scope
        apps = scope.apps.map { App(key: $0) }
        machine = AuthorizationStateMachine(at: Self.start) { Self.midnight(after: $0) }
        launch()
    }

    static func midnight(after time: Int64) -> Int64 { (time / secondsPerDay + 1) * secondsPerDay }

    func index(of key: AppKey) -> Int? { apps.firstIndex { $0.key == key } }

    // MARK: The broker

    /// Performs the actions of the state machine, as `AuthorizationBroker` does.
    mutating func perform(_ actions: [Action]) {
        last += actions
        for action in actions {
            switch action {
            case .write(let write):
                if case .decision(let decision, let key) = write.change { rememberHolders(of: key, for: decision) }
                writes.append(.change(write))
            case .open(let prompt): lastPrompt = max(lastPrompt, prompt.id)
            case .reply(let request, _), .refuse(let request, _): answer(request)
            case .wake(let moment): wake = moment
            case .close, .changed: break
            }
        }
    }

    private mutating func answer(_ request: UInt64) {
        for index in apps.indices {
            guard let position = apps[index].requests.firstIndex(of: request) else { continue }
            apps[index].requests.remove(at: position)
            return
        }
        surplusAnswers += 1
    }

    /// Follows a decision about to be written (`Core`, `onDecision`).
    private mutating func rememberHolders(of key: AppKey, for decision: Decision?) {
        guard let index = self.index(of: key) else { return }
        if decision?.lifetime == .once {
            addHolders(apps[index].connected, of: index)
        } else {
            apps[index].holders = []
        }
    }

    private mutating func addHolders(_ processes: Processes, of index: Int) {
        guard !apps[index].holders.isSuperset(of: processes) else { return }
        apps[index].holders.formUnion(processes)
        writes.append(.holders(apps[index].holders, of: index))
    }

    mutating func connect(_ process: Processes, of index: Int) {
        let key = apps[index].key
        if apps[index].connected.isEmpty { perform(machine.connected(key, at: now)) }
        apps[index].connected.formUnion(process)
        if machine.awaitsReturn, let start = process.starts.first {
            perform(machine.returned(key, as: start, at: now))
        }
        if machine.table.decision(about: key)?.lifetime == .once { addHolders(process, of: index) }
    }

    mutating func disconnect(_ index: Int) {
        apps[index].connected = []
        apps[index].requests = []
        perform(machine.disconnected(apps[index].key, at: now))
    }

    mutating func request(_ subject: ModelEvent.Subject, by index: Int) {
        let id = nextRequest
        nextRequest += 1
        apps[index].requests.append(id)
        let key = apps[index].key
        switch subject {
        case .level(let level): perform(machine.request(level, id: id, by: key, at: now))
        case .fullAccuracy:
            perform(
                machine.requestTemporaryFullAccuracy(
                    purposeKey: "navigation", presence: .inUse, id: id, by: key, at: now))
        }
    }

    mutating func cancel(_ position: Int, of index: Int) {
        let request = apps[index].requests.remove(at: position)
        perform(machine.cancel(request, by: apps[index].key, at: now))
    }

    // MARK: The store

    /// Finishes the oldest write, and reports the result.
    mutating func finishWrite(successfully: Bool) {
        let write = writes.removeFirst()
        if successfully { commit(write) }
        guard case .change(let change) = write else { return }
        perform(successfully ? machine.written(change, at: now) : machine.writeFailed(change, at: now))
    }

    mutating func finishWrites(successfully: Bool) {
        while !writes.isEmpty { finishWrite(successfully: successfully) }
    }

    /// Puts a write on the disk (`Store.record`).
    private mutating func commit(_ write: PendingWrite) {
        switch write {
        case .holders(let holders, let index): apps[index].storedHolders = holders
        case .change(let write):
            switch write.change {
            case .decision(let decision, let key):
                guard let index = self.index(of: key) else { return }
                apps[index].stored = decision
                if decision?.lifetime != .once { apps[index].storedHolders = [] }
            case .services(true, let uid): storedServicesOff.remove(uid)
            case .services(false, let uid): storedServicesOff.insert(uid)
            }
        }
    }

    // MARK: Crash and start

    /// Ends the daemon at once and starts it again. The first `count` pending writes had reached the disk, although the
    /// daemon had not heard of it.
    ///
    /// - Parameter reboots: `true` if the machine starts again, too, so that all processes are new ones.
    mutating func crash(committing count: Int, after step: ModelEvent.ClockStep?, reboots: Bool) {
        for write in writes.prefix(count) { commit(write) }
        writes = []
        if let step { now = step.time(after: now) }
        for index in apps.indices {
            apps[index].connected = []
            apps[index].requests = []
            if reboots { apps[index].storedHolders = [] }
        }
        launch()
    }

    /// Makes the state machine from the disk (`Core.init`), and starts the broker.
    private mutating func launch() {
        var decisions: [AppKey: Decision] = [:]
        var holders: [AppKey: Set<ProcessStart>] = [:]
        for index in apps.indices {
            let app = apps[index]
            decisions[app.key] = app.stored
            holders[app.key] = app.storedHolders.starts
            apps[index].holders = app.storedHolders
        }
        let table = AuthorizationTable(
            decisions: decisions, machineServicesEnabled: !storedServicesOff.contains(nil),
            usersWithServicesDisabled: Set(storedServicesOff.compactMap(\.self)), restrictions: restrictions,
            firstRevision: starts * 1_000_000)
        starts += 1
        machine = AuthorizationStateMachine(
            table: table, manifests: scope.manifests, onceHolders: holders, firstPromptID: lastPrompt + 1, at: now
        ) { Self.midnight(after: $0) }
        wake = nil
        perform(machine.advance(to: now))
        for (number, key) in scope.crowd.enumerated() {
            perform(machine.connected(key, at: now))
            perform(machine.request(.whenInUse, id: .max - UInt64(number), by: key, at: now))
        }
    }

    var restrictions: Set<Restriction> { isRestricted ? [.everything] : [] }
}
