internal import AuthorizationPolicy
internal import LocationModel

/// The deliveries to an app in one hour, with one accuracy, in the background or not. Contains no positions.
struct AccessLogRow: Sendable, Equatable {
    /// The fields that identify a row.
    struct Key: Hashable, Sendable {
        let app: AppKey
        /// The start of the hour.
        let hour: Timestamp
        let accuracy: AccuracyAuthorization
        let inBackground: Bool
    }

    /// The deliveries that were counted under a key.
    struct Tally: Sendable, Equatable {
        /// The number of locations and events.
        var deliveries: Int
        /// The time of the last delivery.
        var lastDelivery: Timestamp

        /// Adds deliveries that were counted separately.
        mutating func add(_ other: Tally) {
            deliveries += other.deliveries
            lastDelivery = max(lastDelivery, other.lastDelivery)
        }
    }

    let key: Key
    var tally: Tally
}
