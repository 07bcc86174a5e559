// As in packages that also build without Core Location.
#if canImport(CoreLocation)
    public import CoreLocation
#else
    /// A position in degrees.
    public struct CLLocationCoordinate2D {
        /// Degrees north of the equator.
        public var latitude: Double
        /// Degrees east of Greenwich.
        public var longitude: Double
    }
#endif

/// Returns the cell of a map of one degree.
public func cell(of coordinate: CLLocationCoordinate2D) -> String {
    "\(Int(coordinate.latitude.rounded(.down))) \(Int(coordinate.longitude.rounded(.down)))"
}
