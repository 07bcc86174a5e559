public import Varlink

/// A method of the interface of a machine's geocoder, `io.locationd.Geocoder`, which is not the daemon's.
public protocol GeocoderMethod: VarlinkMethod where Interface == GeocoderInterface, Reply == Placemarks {}

/// The interface of a machine's geocoder.
public enum GeocoderInterface: VarlinkInterface {
    /// The errors of the interface.
    public typealias Failure = GeocoderFailure
    /// The reverse-domain name.
    public static let name = "io.locationd.Geocoder"
    /// The definition, from its file.
    public static var definition: String {
        String(decoding: PackageResources.io_locationd_Geocoder_varlink, as: UTF8.self)
    }
}

/// The errors of `io.locationd.Geocoder`.
public enum GeocoderFailure: VarlinkFailure {
    /// The interface that defines the errors.
    public typealias Interface = GeocoderInterface

    /// There is no such place, or no address for it.
    case noResult
    /// The service cannot answer at the moment.
    case unavailable(reason: String)
}

/// The method that finds the places that a text describes.
public enum Geocode: GeocoderMethod {
    /// A circle on the ground, in degrees and metres.
    public struct Region: Codable, Sendable, Equatable {
        /// The latitude of the center.
        public var latitude: Double
        /// The longitude of the center.
        public var longitude: Double
        /// The radius.
        public var radius: Double

        /// Creates a circle.
        public init(latitude: Double, longitude: Double, radius: Double) {
            (self.latitude, self.longitude, self.radius) = (latitude, longitude, radius)
        }
    }
    /// The parameters of a call.
    public struct Parameters: Codable, Sendable, Equatable {
        /// The description of the place.
        public var text: String
        /// The region of preferred places.
        public var region: Region?
        /// The language for names, as a BCP 47 tag.
        public var locale: String?

        /// Creates the parameters of a call.
        public init(text: String, region: Region? = nil, locale: String? = nil) {
            (self.text, self.region, self.locale) = (text, region, locale)
        }
    }
}

/// The method that finds the addresses of a place.
public enum ReverseGeocode: GeocoderMethod {
    /// The parameters of a call.
    public struct Parameters: Codable, Sendable, Equatable {
        /// The latitude in degrees.
        public var latitude: Double
        /// The longitude in degrees.
        public var longitude: Double
        /// The language for names, as a BCP 47 tag.
        public var locale: String?

        /// Creates the parameters of a call.
        public init(latitude: Double, longitude: Double, locale: String? = nil) {
            (self.latitude, self.longitude, self.locale) = (latitude, longitude, locale)
        }
    }
}

/// The reply of both methods.
public struct Placemarks: Codable, Sendable, Equatable {
    /// The places, the best one first.
    public var placemarks: [Placemark]

    /// Creates a reply.
    public init(placemarks: [Placemark]) { self.placemarks = placemarks }
}

/// A place and its address.
public struct Placemark: Codable, Sendable, Equatable {
    /// The latitude in degrees.
    public var latitude: Double
    /// The longitude in degrees.
    public var longitude: Double
    /// The radius of a circle that covers the place, in metres.
    public var radius: Double?
    /// The name of the place.
    public var name: String?
    /// The street.
    public var thoroughfare: String?
    /// The street number.
    public var subThoroughfare: String?
    /// The city.
    public var locality: String?
    /// The district of the city.
    public var subLocality: String?
    /// The state or province.
    public var administrativeArea: String?
    /// The county.
    public var subAdministrativeArea: String?
    /// The postal code.
    public var postalCode: String?
    /// The two-letter country code of ISO 3166-1.
    public var isoCountryCode: String?
    /// The name of the country.
    public var country: String?
    /// The lake or river.
    public var inlandWater: String?
    /// The ocean.
    public var ocean: String?
    /// The points of interest at the place.
    public var areasOfInterest: [String]?
    /// The name of the time zone.
    public var timeZone: String?

    /// Creates a place without an address.
    public init(latitude: Double, longitude: Double) {
        (self.latitude, self.longitude) = (latitude, longitude)
    }
}
