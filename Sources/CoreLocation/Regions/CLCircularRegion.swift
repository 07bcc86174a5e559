import Foundation

/// A circle on the ground of which crossings can be monitored.
open class CLCircularRegion: CLRegion {
    /// A region without identifier at the place where the equator crosses the meridian of Greenwich; a subclass tells
    /// more.
    public override init() {
        super.init()
        complete(identifier: "", circle: Circle(center: CLLocationCoordinate2D(), radius: 0))
    }

    /// - Parameters:
    ///   - center: degrees.
    ///   - radius: metres.
    ///   - identifier: unique within the app.
    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
        super.init()
        complete(identifier: identifier, circle: Circle(center: center, radius: radius))
    }

    /// Degrees.
    open override var center: CLLocationCoordinate2D { circle?.center ?? kCLLocationCoordinate2DInvalid }

    /// Metres.
    open override var radius: CLLocationDistance { circle?.radius ?? -1 }

    /// Returns whether `coordinate` is in the circle or on its border, along the WGS 84 ellipsoid.
    open override func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
        Circle(center: center, radius: radius).contains(coordinate)
    }

    /// As `CLCircularRegion (identifier:'x', center:<+37.33169175,-122.03021900>, radius:62.40m)`.
    open override var description: String {
        "CLCircularRegion (identifier:'\(identifier)', "
            + String(format: "center:<%+.8f,%+.8f>, radius:%.2fm)", center.latitude, center.longitude, radius)
    }

    /// A region of the same values.
    open override func copy(with zone: NSZone? = nil) -> Any {
        copied(to: CLCircularRegion())
    }

    /// `nil` if there is no circular region in the archive.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        guard circle != nil else { return nil }
    }
}
