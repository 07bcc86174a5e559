internal import LocationModel

/// A region of an app, as it is kept on disk. Of one identifier an app has one.
struct RegionRecord: Sendable, Equatable {
    var app: AppKey
    var region: CircularRegion
    /// The path of the socket that starts the app.
    var wake: String?
    /// When the app asked for it.
    var since: Timestamp
    /// Where the device was at last, so that a crossing is noticed also over a restart.
    var state: RegionState
}
