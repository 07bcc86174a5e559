internal import Authorization
internal import Positioning

/// Writes down what apps are sent: each delivery is counted in the log, and shows in the indicator.
final class Record {
    let log: AccessLog
    let indicator: Indicator
    private let clock: () -> Timestamp

    init(log: AccessLog, indicator: Indicator, clock: @escaping () -> Timestamp) {
        self.log = log
        self.indicator = indicator
        self.clock = clock
    }

    /// An app was sent so many locations or events.
    func delivered(_ count: Int = 1, to app: AppKey, accuracy: AccuracyAuthorization, inBackground: Bool) {
        guard count > 0 else { return }
        log.count(count, to: app, accuracy: accuracy, inBackground: inBackground)
        indicator.used(app, accuracy: accuracy, inBackground: inBackground, at: clock())
    }

    /// What was released was sent to an app.
    func delivered(_ released: Released<some Any>, to app: AppKey) {
        delivered(to: app, accuracy: released.accuracy, inBackground: released.inBackground)
    }

    /// The app's streams were opened, closed, suspended or resumed.
    func sessionsChanged(of app: ConnectedApp) {
        let active = app.sessions.filter(\.isIndicated)
        indicator.setActive(
            app.key, !active.isEmpty, inBackground: active.allSatisfy { $0.presence == .background })
    }
}
