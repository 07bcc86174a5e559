package import LocationModel

/// A region of an app, as it is stored on the disk. An app has one region of each identifier.
package struct RegionRecord: Sendable, Equatable {
    var app: AppKey
    package internal(set) var region: Region
    /// The path of the socket that starts the app.
    package internal(set) var wake: String?
    /// The time of the app's request.
    package internal(set) var since: Timestamp
    /// The last known state, so that a crossing during a restart is noticed too.
    var state: RegionState
}
