package import LocationModel

/// A region of an app, as it is kept on disk. Of one identifier an app has one.
package struct RegionRecord: Sendable, Equatable {
    var app: AppKey
    package internal(set) var region: CircularRegion
    /// The path of the socket that starts the app.
    package internal(set) var wake: String?
    /// When the app asked for it.
    package internal(set) var since: Timestamp
    /// Where the device was at last, so that a crossing is noticed also over a restart.
    var state: RegionState
}
