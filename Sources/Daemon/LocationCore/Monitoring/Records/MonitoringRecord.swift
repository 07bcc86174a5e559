package import LocationModel

/// The monitoring of significant changes or visits that outlasts its stream, as it is stored on the disk.
package struct MonitoringRecord: Sendable, Equatable {
    var app: AppKey
    var kind: MonitoringKind
    /// The path of the socket that starts the app.
    package internal(set) var wake: String?
    /// The time of the app's request.
    package internal(set) var since: Timestamp
    /// The starting point of the next significant change.
    var lastDelivered: Location?
}
