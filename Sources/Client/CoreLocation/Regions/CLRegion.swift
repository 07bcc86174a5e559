import Foundation

/// An area whose border crossings can be monitored. In practice it is a ``CLCircularRegion``.
///
/// Two regions with the same identifier are equal, even if they cover different areas.
open class CLRegion: NSObject, NSCopying, NSSecureCoding {
    /// Immutable after initialization. An initializer of a subclass sets it with `complete(identifier:circle:)`.
    private var storedIdentifier: String
    /// The circle, or `nil` if the region is not circular. Set by the initializers, including subclasses' initializers,
    /// and by `copied(to:)` in a new copy. It does not change afterwards.
    package internal(set) var circle: Circle?

    /// A center and the distance around it.
    package struct Circle: Sendable {
        /// The center in degrees.
        package var center: CLLocationCoordinate2D
        /// The radius in metres.
        package var radius: CLLocationDistance
    }

    /// Creates a region with an empty identifier. Subclasses override the properties.
    public override init() {
        storedIdentifier = ""
        circle = nil
        super.init()
    }

    /// Creates a circular region.
    ///
    /// - Parameters:
    ///   - center: The center in degrees.
    ///   - radius: The radius in metres.
    ///   - identifier: The identifier, unique within the app.
    @available(*, deprecated, renamed: "CLCircularRegion.init(center:radius:identifier:)")
    public init(
        circularRegionWithCenter center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String
    ) {
        storedIdentifier = identifier
        circle = Circle(center: center, radius: radius)
        super.init()
    }

    /// Completes an initializer. It is not an initializer itself because a nonpublic one would keep apps' subclasses
    /// from inheriting the public ones.
    func complete(identifier: String, circle: Circle?) {
        storedIdentifier = identifier
        self.circle = circle
    }

    /// The identifier of the region, unique within the app.
    open var identifier: String { storedIdentifier }

    /// A Boolean value indicating whether the app is notified when the device enters the region. Default: `true`.
    open var notifyOnEntry = true

    /// A Boolean value indicating whether the app is notified when the device leaves the region. Default: `true`.
    open var notifyOnExit = true

    /// The center in degrees. Invalid if the region is not a circle.
    @available(*, deprecated, renamed: "CLCircularRegion.center")
    open var center: CLLocationCoordinate2D { circle?.center ?? kCLLocationCoordinate2DInvalid }

    /// The radius in metres, or -1 if the region is not a circle.
    @available(*, deprecated, renamed: "CLCircularRegion.radius")
    open var radius: CLLocationDistance { circle?.radius ?? -1 }

    /// Returns whether `coordinate` is inside the region.
    @available(*, deprecated, renamed: "CLCircularRegion.contains(_:)")
    open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
        circle?.contains(coordinate) ?? false
    }

    /// A description with the type and the identifier.
    open override var description: String { "\(type(of: self)) (identifier:'\(identifier)')" }

    /// Returns whether `object` is a region with the same identifier.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CLRegion)?.identifier == identifier
    }

    /// The hash value of the identifier.
    open override var hash: Int { identifier.hashValue }

    // MARK: Copying and coding

    /// Returns a region with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        copied(to: CLRegion())
    }

    /// Copies the values of this region to `copy`, and returns it.
    func copied(to copy: CLRegion) -> CLRegion {
        copy.complete(identifier: identifier, circle: circle)
        copy.notifyOnEntry = notifyOnEntry
        copy.notifyOnExit = notifyOnExit
        return copy
    }

    /// A Boolean value indicating whether the class supports secure coding. Always `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Decodes a region. Values missing from the archive default to the values of ``init()``.
    public required init?(coder: NSCoder) {
        let archive = ArchivedValues(coder)
        storedIdentifier = archive.string(for: "identifier") ?? ""
        circle = archive.double(for: "radius").map { Circle(center: archive.coordinate, radius: $0) }
        super.init()
        notifyOnEntry = archive.bool(for: "notifyOnEntry") ?? true
        notifyOnExit = archive.bool(for: "notifyOnExit") ?? true
    }

    /// Encodes every property.
    open func encode(with coder: NSCoder) {
        let archive = ArchivedValues(coder)
        archive.encode(identifier, for: "identifier")
        archive.encode(notifyOnEntry, for: "notifyOnEntry")
        archive.encode(notifyOnExit, for: "notifyOnExit")
        if let circle {
            archive.encode(circle.center)
            archive.encode(circle.radius, for: "radius")
        }
    }
}

extension CLRegion.Circle {
    /// The circle of radius 0 at latitude 0 and longitude 0.
    static var zero: Self { Self(center: CLLocationCoordinate2D(), radius: 0) }

    /// Returns whether `coordinate` is inside the circle or on its border, measured along the WGS 84 ellipsoid.
    func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
        center.distance(to: coordinate) <= radius
    }
}

/// The position of the device relative to a region.
public enum CLRegionState: Int, Sendable {
    /// The position relative to the region is not known, or not known yet.
    case unknown = 0
    /// The device is inside the region.
    case inside = 1
    /// The device is outside the region.
    case outside = 2
}
