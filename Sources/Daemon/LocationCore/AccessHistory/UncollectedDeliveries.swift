internal import LocationModel

/// The deliveries to one app that the access log has not collected yet. Counting them does not search for the app's
/// row, because an app with subscriptions is sent something many times a second.
///
/// The access log collects them before it writes or reports anything. Confined to the event loop.
final class UncollectedDeliveries {
    let app: AppKey
    /// The start of the hour of the deliveries.
    var hour = Timestamp(millisecondsSince1970: 0)
    /// A Boolean value indicating whether the access log knows that there is something to collect.
    var isRegistered = false
    /// The app's entry in the indicator at the last use.
    var use: Indicator.Use?
    private var tallies: [4 of AccessLogRow.Tally] = .init(repeating: .none)

    init(_ app: AppKey) {
        self.app = app
    }

    func add(_ deliveries: Int, accuracy: AccuracyAuthorization, inBackground: Bool, at now: Timestamp) {
        let index = (accuracy == .full ? 0 : 2) + (inBackground ? 1 : 0)
        tallies[index].add(AccessLogRow.Tally(deliveries: deliveries, lastDelivery: now))
    }

    /// Passes the deliveries to `body`, and starts again at zero.
    func collect(_ body: (AccessLogRow) -> Void) {
        for index in 0..<4 where tallies[index].deliveries > 0 {
            let key = AccessLogRow.Key(
                app: app, hour: hour, accuracy: index < 2 ? .full : .reduced, inBackground: index % 2 == 1)
            body(AccessLogRow(key: key, tally: tallies[index]))
            tallies[index] = .none
        }
    }
}

extension AccessLogRow.Tally {
    /// No deliveries.
    fileprivate static let none = Self(deliveries: 0, lastDelivery: Timestamp(millisecondsSince1970: .min))
}
