internal import AuthorizationPolicy
internal import LocationModel

/// What an app was sent in an hour, with one accuracy, in background or not. No places.
struct AccessLogRow: Sendable, Equatable {
    /// What tells one row from another.
    struct Key: Hashable, Sendable {
        let app: AppKey
        /// When the hour began.
        let hour: Timestamp
        let accuracy: AccuracyAuthorization
        let inBackground: Bool
    }

    /// What was counted under a key.
    struct Tally: Sendable, Equatable {
        /// How many locations and events.
        var deliveries: Int
        /// When the last one was sent.
        var lastDelivery: Timestamp

        /// Adds what was counted apart.
        mutating func add(_ other: Tally) {
            deliveries += other.deliveries
            lastDelivery = max(lastDelivery, other.lastDelivery)
        }
    }

    let key: Key
    var tally: Tally
}
