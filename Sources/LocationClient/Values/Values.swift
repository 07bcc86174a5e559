public import Authorization
public import LocationProtocol

// The daemon's values, under names that need no other import. Exporting them makes their members visible as well, to programs
// with the feature MemberImportVisibility too; the rest of their modules stays hidden.
@_exported public import enum Authorization.AccuracyAuthorization
@_exported public import enum Authorization.AuthorizationStatus
@_exported public import struct LocationProtocol.RegionEvent
@_exported public import enum Positioning.ActivityType
@_exported public import struct Positioning.CircularRegion
@_exported public import enum Positioning.DesiredAccuracy
@_exported public import struct Positioning.Heading
@_exported public import struct Positioning.Location
@_exported public import enum Positioning.RegionState
@_exported public import struct Positioning.Timestamp
@_exported public import struct Positioning.Visit

/// What this app may have, how exactly, and whether location services are on.
///
/// ```swift
/// let authorization: AuthorizationState = try await client.authorization()
/// print(authorization.status, authorization.accuracy, authorization.servicesEnabled)
/// ```
public typealias AuthorizationState = Authorization::Authorization

/// What a person is asked for: while in use, or always.
///
/// ```swift
/// try await client.requestAuthorization(.always)
/// ```
public typealias AuthorizationLevel = RequestedLevel

extension LocationClient {
    /// What a stream of locations wants.
    ///
    /// ```swift
    /// var options = LocationClient.Options()
    /// options.desiredAccuracy = .hundredMeters
    /// options.distanceFilter = 50
    /// options.activityType = .fitness
    /// ```
    public typealias Options = LocationProtocol.Options
}
