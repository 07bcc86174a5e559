import Foundation

/// A circle on the ground whose border crossings can be monitored.
open class CLCircularRegion: CLRegion {
    /// Creates a region of radius 0 at latitude 0 and longitude 0, with an empty identifier. Subclasses override the
    /// properties.
    public override init() {
        super.init()
        circle = Circle.zero
    }

    /// Creates a region around a coordinate.
    ///
    /// - Parameters:
    ///   - center: The center in degrees.
    ///   - radius: The radius in metres.
    ///   - identifier: The identifier, unique within the app.
    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
        super.init()
        complete(identifier: identifier, circle: Circle(center: center, radius: radius))
    }

    /// The center in degrees.
    open override var center: CLLocationCoordinate2D { circle?.center ?? kCLLocationCoordinate2DInvalid }

    /// The radius in metres.
    open override var radius: CLLocationDistance { circle?.radius ?? -1 }

    /// Returns whether `coordinate` is inside the circle or on its border, measured along the WGS 84 ellipsoid.
    open override func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
        Circle(center: center, radius: radius).contains(coordinate)
    }

    /// A description of the form `CLCircularRegion (identifier:'x', center:<+37.33169175,-122.03021900>,
    /// radius:62.40m)`.
    open override var description: String {
        "CLCircularRegion (identifier:'\(identifier)', "
            + String(format: "center:<%+.8f,%+.8f>, radius:%.2fm)", center.latitude, center.longitude, radius)
    }

    /// Returns a region with the same values.
    open override func copy(with zone: NSZone? = nil) -> Any {
        copied(to: CLCircularRegion())
    }

    /// Decodes a circular region. Values missing from the archive default to the values of ``init()``.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        circle = circle ?? Circle.zero
    }
}
