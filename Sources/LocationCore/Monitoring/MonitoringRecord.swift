package import LocationModel

/// A monitoring that outlasts its stream, as it is kept on disk.
package struct MonitoringRecord: Sendable, Equatable {
    var app: AppKey
    var kind: MonitoringKind
    /// The path of the socket that starts the app.
    package internal(set) var wake: String?
    /// When the app asked for it.
    package internal(set) var since: Timestamp
    /// From where the next significant change counts.
    var lastDelivered: Location?
}
