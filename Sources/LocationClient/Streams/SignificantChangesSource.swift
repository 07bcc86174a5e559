internal import LocationProtocol

/// The source of locations that are far apart.
struct SignificantChangesSource: StreamSource {
    typealias Called = MonitorSignificantChanges

    let wake: String?
    private var last: Location?

    init(wake: String?) {
        self.wake = wake
    }

    func parameters(after seconds: Double) -> WakeParameters? { WakeParameters(wake: wake) }

    /// Returns the update in `reply`. After each reconnection the daemon begins with the last known location, which
    /// is skipped if it was delivered before.
    mutating func element(of reply: Subscribe.Reply) -> LocationUpdate? {
        guard let update = reply.update.flatMap(LocationUpdate.init) else { return nil }
        if case .location(let location) = update {
            guard location != last else { return nil }
            last = location
        }
        return update
    }

    func authorization(in reply: Subscribe.Reply) -> AuthorizationState? { reply.update?.authorization }

    func element(of notice: StreamNotice) -> LocationUpdate? { LocationUpdate(notice) }
}
