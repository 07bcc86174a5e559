package import CoreLocation
internal import LocationModel

// Functions declared by CoreLocation in DaemonTarget.swift, with the same signatures.

@_silgen_name("CoreLocation_makeDaemonBackend")
package func makeDaemonBackend() -> any LocationBackend { DaemonBackend() }

@_silgen_name("CoreLocation_distanceAlongEllipsoid")
package func distanceAlongEllipsoid(
    from start: CLLocationCoordinate2D, to end: CLLocationCoordinate2D
) -> CLLocationDistance {
    Ellipsoid.wgs84.distance(
        fromLatitude: start.latitude, longitude: start.longitude, toLatitude: end.latitude, longitude: end.longitude)
}
