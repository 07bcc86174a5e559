// Functions defined in CoreLocationDaemon. This module cannot import it: importing CoreLocation loads every module that
// CoreLocation imports, and some of those behind CoreLocationDaemon are written in C, which the compiler finds only for
// packages that depend on this one. The linker joins the two without comparing signatures: keep these in step with
// Linkage.swift.

/// Returns the backend that uses the daemon of this machine.
@_silgen_name("CoreLocation_makeDaemonBackend")
func makeDaemonBackend() -> any LocationBackend

/// Returns the distance in metres along the WGS 84 ellipsoid, or NaN if either coordinate is not a position.
@_silgen_name("CoreLocation_distanceAlongEllipsoid")
func distanceAlongEllipsoid(
    from start: CLLocationCoordinate2D, to end: CLLocationCoordinate2D
) -> CLLocationDistance
