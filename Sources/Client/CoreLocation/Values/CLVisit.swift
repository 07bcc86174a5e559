import Foundation

/// A stay of at least a few minutes at one place.
open class CLVisit: NSObject, NSCopying, NSSecureCoding {
    /// Immutable after initialization.
    private var values: Values

    /// The values of a visit. The properties with the same names document them.
    package struct Values {
        package var arrivalDate = Date.distantPast
        package var departureDate = Date.distantFuture
        package var coordinate = CLLocationCoordinate2D()
        package var horizontalAccuracy: CLLocationAccuracy = 0

        /// The values of a visit with an unknown arrival that has not ended.
        package static var unknown: Self { Self() }
    }

    /// Creates a visit with an unknown arrival that has not ended. Subclasses override the properties.
    public override init() {
        values = .unknown
        super.init()
    }

    package convenience init(_ values: Values) {
        self.init()
        self.values = values
    }

    /// The time of arrival. `Date.distantPast` if it is unknown.
    open var arrivalDate: Date { values.arrivalDate }
    /// The time of departure. `Date.distantFuture` while the visit lasts.
    open var departureDate: Date { values.departureDate }
    /// The approximate position of the visit, in degrees.
    open var coordinate: CLLocationCoordinate2D { values.coordinate }
    /// The accuracy of the coordinate in metres. Negative if the coordinate is invalid.
    open var horizontalAccuracy: CLLocationAccuracy { values.horizontalAccuracy }

    /// A description with the coordinate, its accuracy and both dates.
    open override var description: String {
        String(format: "<%+.8f,%+.8f> +/- %.2fm", coordinate.latitude, coordinate.longitude, horizontalAccuracy)
            + " (\(arrivalDate) to \(departureDate))"
    }

    /// Returns the object itself, which is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// A Boolean value indicating whether the class supports secure coding. Always `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Decodes a visit. Values missing from the archive default to the values of ``init()``, except for the horizontal
    /// accuracy, -1, which makes the coordinate invalid.
    public required init?(coder: NSCoder) {
        let archive = ArchivedValues(coder)
        let absent = Values()
        values = Values(
            arrivalDate: archive.date(for: "arrivalDate") ?? absent.arrivalDate,
            departureDate: archive.date(for: "departureDate") ?? absent.departureDate,
            coordinate: archive.coordinate,
            horizontalAccuracy: archive.double(for: "horizontalAccuracy") ?? -1)
        super.init()
    }

    /// Encodes every property.
    open func encode(with coder: NSCoder) {
        let archive = ArchivedValues(coder)
        archive.encode(coordinate)
        archive.encode(horizontalAccuracy, for: "horizontalAccuracy")
        archive.encode(arrivalDate, for: "arrivalDate")
        archive.encode(departureDate, for: "departureDate")
    }
}
