public import LocationModel
public import LocationProtocol

// The daemon's values, under names that need no other import. Exporting them makes their members visible too, even with
// the feature MemberImportVisibility; the rest of their modules stays hidden.
@_exported public import enum LocationModel.AccuracyAuthorization
@_exported public import enum LocationModel.ActivityType
@_exported public import enum LocationModel.AuthorizationStatus
@_exported public import struct LocationModel.Beacon
@_exported public import struct LocationModel.BeaconConstraint
@_exported public import enum LocationModel.BeaconProximity
@_exported public import struct LocationModel.BeaconRegion
@_exported public import struct LocationModel.CircularRegion
@_exported public import enum LocationModel.DesiredAccuracy
@_exported public import struct LocationModel.Heading
@_exported public import struct LocationModel.Location
@_exported public import struct LocationModel.RangingReport
@_exported public import struct LocationModel.RegionEvent
@_exported public import enum LocationModel.RegionState
@_exported public import struct LocationModel.Timestamp
@_exported public import struct LocationModel.Visit

/// The authorization of this app: its status and accuracy, and whether location services are on.
///
/// ```swift
/// let authorization: AuthorizationState = try await client.authorization()
/// print(authorization.status, authorization.accuracy, authorization.servicesEnabled)
/// ```
public typealias AuthorizationState = LocationModel.Authorization

/// The access to request from the user: while in use, or always.
///
/// ```swift
/// try await client.requestAuthorization(.always)
/// ```
public typealias AuthorizationLevel = RequestedLevel

extension LocationClient {
    /// The options of a stream of locations.
    ///
    /// ```swift
    /// var options = LocationClient.Options()
    /// options.desiredAccuracy = .hundredMeters
    /// options.distanceFilter = 50
    /// options.activityType = .fitness
    /// ```
    public typealias Options = LocationProtocol.Options
}
