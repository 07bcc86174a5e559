internal import LocationModel

/// What one app was sent and what nobody has looked at yet: counted without a search for the app's row, since an app with
/// streams is sent something many times a second.
///
/// The access log collects it before it writes or tells anything. Confined to the event loop.
final class AccessCount {
    let app: AppKey
    /// When the hour began that this was counted in.
    var hour = Timestamp(millisecondsSince1970: 0)
    /// A Boolean value indicating whether the access log knows that there is something to collect.
    var isNoted = false
    /// The app's entry of the indicator, as it was found last.
    var use: Indicator.Use?
    private var tallies: [4 of AccessLogRow.Tally] = .init(repeating: .none)

    init(_ app: AppKey) {
        self.app = app
    }

    func add(_ deliveries: Int, accuracy: AccuracyAuthorization, inBackground: Bool, at now: Timestamp) {
        let index = (accuracy == .full ? 0 : 2) + (inBackground ? 1 : 0)
        tallies[index].add(AccessLogRow.Tally(deliveries: deliveries, lastDelivery: now))
    }

    /// Hands over what was counted, and begins again.
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
    /// Nothing was counted.
    fileprivate static let none = Self(deliveries: 0, lastDelivery: Timestamp(millisecondsSince1970: .min))
}
