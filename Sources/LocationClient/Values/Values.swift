public import Authorization
public import LocationProtocol
public import Positioning

// The values that the daemon gives, under names that need no other import. They are documented where they are defined.

/// A position with what is known about it: one fix, as this app gets it.
public typealias Location = Positioning.Location
/// A moment in UTC with a resolution of one millisecond.
public typealias Timestamp = Positioning.Timestamp
/// How hard the receivers work.
public typealias DesiredAccuracy = Positioning.DesiredAccuracy
/// What kind of movement is followed.
public typealias ActivityType = Positioning.ActivityType
/// A circle on the ground of which crossings are told.
public typealias CircularRegion = Positioning.CircularRegion
/// Where the device is, seen from a region.
public typealias RegionState = Positioning.RegionState
/// Where the device is, seen from one of this app's regions, and the fix that told it.
public typealias RegionEvent = LocationProtocol.RegionEvent
/// A stay at a place.
public typealias Visit = Positioning.Visit
/// Where the device points.
public typealias Heading = Positioning.Heading
/// What this app may have, how exactly, and whether location services are on.
public typealias AuthorizationState = Authorization::Authorization
/// What this app may have.
public typealias AuthorizationStatus = Authorization::AuthorizationStatus
/// How exact the locations are that this app gets.
public typealias AccuracyAuthorization = Authorization::AccuracyAuthorization
/// What a person is asked for: while in use, or always.
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
