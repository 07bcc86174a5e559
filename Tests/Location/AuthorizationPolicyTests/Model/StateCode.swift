import LocationModel

@testable import AuthorizationPolicy

/// A hash that is the same in each run, so that the number of states is, too.
struct StateHash: Sendable, Hashable, Comparable {
    private(set) var value: UInt64 = 0x243F_6A88_85A3_08D3

    mutating func add(_ word: UInt64) {
        value = (value ^ word) &* 0x9E37_79B9_7F4A_7C15
        value = (value ^ (value >> 32)) &* 0xBF58_476D_1CE4_E5B9
        value ^= value >> 29
    }

    static func < (a: StateHash, b: StateHash) -> Bool { a.value < b.value }
}

/// Everything about a modelled daemon that its future depends on.
///
/// Equal for two daemons that differ only in the names of users, of a user's apps, and of an app's processes; in the
/// numbers of requests, prompts, writes and revisions; in the date; and in the ages of timeouts that are over.
struct StateCode: Sendable {
    /// The hash of the whole daemon.
    let whole: UInt64
    /// The hash of each app's part, without the writes that have not been finished.
    let apps: [UInt64]

    init(_ daemon: ModelledDaemon) {
        var own: [UInt64] = []
        var users: [(uid: UInt32, apps: [StateHash])] = []
        for index in daemon.apps.indices {
            let (processes, order) = daemon.processes(of: index)
            var hash = daemon.hash(of: index, processes)
            own.append(hash.value)
            daemon.addWrites(about: index, order, to: &hash)
            let uid = daemon.apps[index].key.uid
            if users.last?.uid == uid {
                users[users.count - 1].apps.append(hash)
            } else {
                users.append((uid, [hash]))
            }
        }
        var hashes = users.map { user in
            var hash = StateHash()
            for app in user.apps.sorted() { hash.add(app.value) }
            daemon.addSwitch(of: user.uid, to: &hash)
            return hash
        }
        hashes.sort()
        var hash = StateHash()
        for user in hashes { hash.add(user.value) }
        hash.add(daemon.isRestricted ? 1 : 0)
        daemon.addSwitch(of: nil, to: &hash)
        whole = hash.value
        apps = own
    }
}

extension ModelledDaemon {
    /// Returns the states of an app's processes, and the processes in the same order. The order does not depend on
    /// their names, except if nothing distinguishes them.
    fileprivate func processes(of index: Int) -> (states: [UInt64], order: [Processes]) {
        let app = apps[index]
        let returning = machine.states[app.key]?.returning?.holders ?? []
        let states = Processes.each.map { process in
            var state: UInt64 = app.connected.contains(process) ? 1 : 0
            state |= app.holders.contains(process) ? 2 : 0
            state |= app.storedHolders.contains(process) ? 4 : 0
            state |= returning.isSuperset(of: process.starts) ? 8 : 0
            var written: UInt64 = 0
            for (position, write) in writes.enumerated() {
                if case .holders(let holders, index) = write, holders.contains(process) { written |= 1 << position }
            }
            return (state, written, process)
        }
        let isSwapped = (states[1].0, states[1].1) < (states[0].0, states[0].1)
        let ordered = isSwapped ? [states[1], states[0]] : states
        return (ordered.map(\.0), ordered.map(\.2))
    }

    /// Returns the hash of an app's part, without the writes that have not been finished.
    fileprivate func hash(of index: Int, _ processes: [UInt64]) -> StateHash {
        let app = apps[index]
        let decision = machine.table.decision(about: app.key)
        let state = machine.states[app.key].flatMap { $0.isIdle && decision?.lifetime != .once ? nil : $0 }
        var hash = StateHash()
        hash.add(code(decision) | code(app.stored) << 12)
        hash.add(processes[0] | processes[1] << 4)
        guard let state else { return hash }
        var word = code(state.opening?.decision) | code(state.returning?.decision) << 12
        word |= state.opening?.endsTemporaryAccuracy == true ? 1 << 24 : 0
        word |= machine.table.hasTemporaryFullAccuracy(app.key) ? 1 << 25 : 0
        word |= state.isConnected ? 1 << 26 : age(state.absentSince, limit: 10) << 27
        word |= state.returning.map { age($0.since, limit: 10) << 30 } ?? 0
        word |= state.abandonedSince.map { (1 + age($0, limit: 10)) << 33 } ?? 0
        word |= UInt64(state.dismissals) << 36
        word |= state.dismissals > 0 ? age(state.lastDismissal, limit: 60) << 40 : 0
        word |= state.declinedPurposes.isEmpty ? 0 : 1 << 44
        word |= UInt64(state.joined.count) << 45
        word |= state.prompt.map { code($0) << 48 } ?? 0
        hash.add(word)
        var waiting: UInt64 = 1
        for request in state.waiting { waiting = waiting << 3 | code(request.subject) }
        if !scope.crowd.isEmpty { waiting |= queuePosition(of: app.key) << 32 }
        hash.add(waiting)
        return hash
    }

    /// Adds the positions and contents of the pending writes about an app.
    fileprivate func addWrites(about index: Int, _ order: [Processes], to hash: inout StateHash) {
        let app = apps[index].key
        for (position, write) in writes.enumerated() {
            var word = UInt64(position) << 32
            switch write {
            case .holders(let holders, index):
                word |= 1 << 16
                for (place, process) in order.enumerated() where holders.contains(process) { word |= 1 << place }
            case .change(let write):
                guard case .decision(let decision, app) = write.change else { continue }
                word |= 1 << 17 | code(decision)
                word |= machine.states[app]?.opening?.write == write.id ? 1 << 18 : 0
            default: continue
            }
            hash.add(word)
        }
    }

    /// Adds the services switch of a user or, if `uid` is `nil`, of the machine.
    fileprivate func addSwitch(of uid: UInt32?, to hash: inout StateHash) {
        guard scope.isWide else { return }
        var table = machine.table
        if uid != nil { table.setServicesEnabled(true, for: nil) }
        let isOn = uid.map { table.servicesEnabled(for: $0) } ?? table.servicesEnabledOnMachine
        hash.add((isOn ? 1 : 0) | (storedServicesOff.contains(uid) ? 2 : 0))
        for (position, write) in writes.enumerated() {
            guard case .change(let write) = write, case .services(let isEnabled, uid) = write.change else { continue }
            let isEnabling = machine.enabling[uid] == write.id
            let flags: UInt64 = (isEnabled ? 1 : 0) | (isEnabling ? 2 : 0)
            hash.add(UInt64(position) << 8 | 4 | flags)
        }
    }

    /// Returns the tens of seconds since a time, up to a limit in seconds.
    private func age(_ time: Int64, limit: Int64) -> UInt64 { UInt64(min(now - time, limit) / 10) }

    private func code(_ decision: Decision?) -> UInt64 {
        guard let decision else { return 0 }
        let level: UInt64 =
            switch decision.level {
            case .denied: 0
            case .whenInUse: 1
            case .provisionalAlways: 2
            case .always: 3
            }
        let lifetime: UInt64 =
            switch decision.lifetime {
            case .permanent: 0
            case .once: 1
            // The number of midnights until the end. After the end, it counts in case that the clock is set back.
            case .until(let end):
                UInt64(clamping: min((end - now + 16 * Self.secondsPerDay - 1) / Self.secondsPerDay, 31)) << 2
            }
        let flags: UInt64 = (decision.accuracy == .full ? 0 : 1) | (decision.alwaysPromptSpent ? 2 : 0)
        return 1 | flags << 1 | level << 3 | lifetime << 5
    }

    private func code(_ prompt: OpenPrompt) -> UInt64 {
        let subject: UInt64 =
            switch prompt.subject {
            case .whenInUse: 0
            case .always: 1
            case .alwaysInsteadOfWhenInUse: 2
            case .keepAlways: 3
            case .temporaryFullAccuracy: 4
            }
        return 1 | (prompt.defaultAccuracy == .full ? 0 : 2) | subject << 2
    }

    private func code(_ subject: AuthorizationStateMachine.Request.Subject) -> UInt64 {
        switch subject {
        case .level(.whenInUse, _, _): 1
        case .level(.always, _, _): 2
        case .temporaryFullAccuracy: 3
        }
    }

    /// Returns the app's position among the apps that wait for another prompt to close, or 0 if it does not wait.
    private func queuePosition(of app: AppKey) -> UInt64 {
        var queue = machine.queue
        var position: UInt64 = 1
        while let next = queue.dequeue(of: app.uid) {
            if next == app { return position }
            position += 1
        }
        return 0
    }
}
