internal import Authorization
internal import LocationProtocol
internal import NIOCore
internal import Positioning
internal import Receivers
internal import Varlink

/// What the management socket shows, as it is now.
extension ManageInterfaceHandler {
    /// What people call an app, by its manifest.
    func displayName(ofApp name: String) -> String? {
        AppIdentity(name).flatMap(displayName)
    }

    /// The same, for an identity.
    func displayName(of app: AppIdentity) -> String? {
        engine.broker.machine.manifests[app]?.displayName.map { ShownText.shortened($0) }
    }

    func summary(_ key: AppKey) -> AppSummary {
        let table = engine.broker.table
        var summary = AppSummary(key: key, authorization: table.authorization(of: key))
        switch table.decision(about: key)?.lifetime {
        case nil: break
        case .permanent: summary.lifetime = .permanent
        case .once: summary.lifetime = .once
        case .until(let seconds):
            summary.lifetime = .untilTomorrow
            summary.until = Timestamp(millisecondsSince1970: seconds * 1000)
        }
        if let app = engine.peers.apps[key] {
            summary.connections = app.connections
            summary.sessions = app.sessions.count
        }
        summary.displayName = displayName(of: key.app)
        summary.temporarilyFull = table.hasTemporaryFullAccuracy(key)
        if let question = engine.broker.machine.question(about: key) {
            summary.requested = question.subject == .whenInUse ? .whenInUse : .always
            summary.reason = question.usageDescription.map { ShownText.shortened($0.text.plain) }
        }
        return summary
    }

    func sessionSummaries(of uid: UInt32?) -> ListSessions.Reply {
        var sessions: [SessionSummary] = []
        for (key, app) in engine.peers.apps where uid == nil || key.uid == uid {
            sessions += app.sessions.map { SessionSummary($0, of: key) }
        }
        for stream in engine.headings.streams where uid == nil || stream.app.uid == uid {
            sessions.append(SessionSummary(stream.events, of: stream.app, state: .active))
        }
        for (key, app) in engine.monitoring.apps where uid == nil || key.uid == uid { sessions += app.summaries }
        return ListSessions.Reply(sessions: sessions.sorted { ($0.since, $0.pid ?? 0) < ($1.since, $1.pid ?? 0) })
    }

    /// - Parameter forAdministrator: whether what the apps of all users want is shown.
    func receiverSummaries(forAdministrator: Bool) -> ListReceivers.Reply {
        let control = engine.receivers
        let summaries = control.members.map { member in
            let receiver = member.receiver
            var summary = ReceiverSummary(
                name: receiver.name, specification: receiver.specification.description,
                state: control.isResting && receiver.state == .stopped ? .resting : ReceiverStatus(receiver.state),
                fixes: receiver.statistics.fixes)
            summary.baudRate = receiver.lineSettings?.bitsPerSecond
            summary.framing = receiver.lineSettings?.framing.rawValue
            if receiver.isDetecting || receiver.lineSettings != nil { summary.detecting = receiver.isDetecting }
            summary.inUse = control.choice.current == member.id
            if summary.inUse { summary.choice = control.choice.reason }
            // Attack: the interval follows from how far another user's region is.
            if forAdministrator, case .every(let seconds, _) = control.plan { summary.interval = seconds }
            if case .lost(let failure) = receiver.state { summary.message = failure.message }
            if let last = control.lastFixes[member.id] {
                let fix = last.fix
                summary.fixAge = Double(last.age(at: engine.loop.now).nanoseconds) / 1e9
                summary.horizontalAccuracy = fix.location.horizontalAccuracy
                summary.satellitesUsed = fix.satellitesUsed
                summary.horizontalDilution = fix.hdop
                if let age = summary.fixAge {
                    let elapsed = engine.clock().millisecondsSince1970 - fix.location.timestamp.millisecondsSince1970
                    summary.clockOffset = Double(elapsed) / 1000 - age
                }
            }
            summary.port = receiver.port?.node
            summary.compass = receiver.hasCompass
            return summary
        }
        return ListReceivers.Reply(receivers: summaries)
    }

    func satellites() -> ListSatellites.Reply {
        ListSatellites.Reply(
            receivers: engine.receivers.receivers.map {
                ReceiverSatellites(receiver: $0.name, satellites: $0.satellites)
            })
    }

    /// - Parameter uid: whose apps are counted; `nil` for an administrator.
    func statistics(of uid: UInt32?) -> Statistics {
        var statistics = Statistics(version: version)
        let apps = engine.peers.apps.values.filter { uid == nil || $0.key.uid == uid }
        let sessions = apps.flatMap(\.sessions)
        statistics.uptime = Double(engine.uptime.nanoseconds) / 1e9
        statistics.connections = uid == nil ? engine.peers.connectionCount : apps.reduce(0) { $0 + $1.connections }
        statistics.sessions = sessions.count
        // Attack: from what is counted for all, a user sees when another one's apps get the location.
        guard uid == nil else { return statistics }
        statistics.fixes = engine.counts.fixes
        statistics.encoded = engine.counts.encoded
        statistics.delivered = engine.counts.delivered
        statistics.replaced = engine.counts.replaced + sessions.reduce(0) { $0 + $1.replaced }
        statistics.refused = engine.peers.refused
        return statistics
    }
}

extension ReceiverStatus {
    init(_ state: ReceiverState) {
        self =
            switch state {
            case .stopped: .stopped
            case .connecting: .connecting
            case .waitingForFix: .searching
            case .running: .running
            case .lost(let failure): failure.reason == .ended ? .ended : .lost
            }
    }
}
