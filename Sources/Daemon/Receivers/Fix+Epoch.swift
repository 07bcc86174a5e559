import LocationModel
import NMEA

extension Fix {
    /// Creates the fix of an epoch, or `nil` if the receiver has not reported the date yet.
    convenience init?(_ epoch: Epoch, receiver: String) {
        guard let milliseconds = epoch.millisecondsSince1970 else { return nil }
        self.init(epoch, at: Timestamp(millisecondsSince1970: milliseconds), .receiver, receiver: receiver)
    }

    /// Creates the fix of an epoch, with a timestamp of the given origin.
    convenience init(
        _ epoch: Epoch, at timestamp: Timestamp, _ dating: FixDating, receiver: String, isAccessory: Bool = false
    ) {
        self.init(
            location: epoch.location(at: timestamp, receiver: receiver, isAccessory: isAccessory), dating: dating,
            dimension: epoch.dimension, vdop: epoch.vdop, pdop: epoch.pdop, datum: epoch.datum?.name)
    }
}

extension Epoch {
    /// A Boolean value indicating whether the receiver reports that mean sea level and the ellipsoid are 0 m apart,
    /// although they are more than 10 m apart at its place: a known fault of firmware.
    ///
    /// An altitude of 0 is a default, too, of a receiver that does not know its height yet.
    var hasWrongZeroSeparation: Bool {
        guard geoidSeparation == 0, let altitude, altitude != 0, dimension != .two, datum == nil else { return false }
        return abs(GeoidModel.separation(latitude: latitude, longitude: longitude)) > 10
    }

    /// Returns the location of the epoch.
    fileprivate func location(at timestamp: Timestamp, receiver: String, isAccessory: Bool) -> Location {
        var location = Location(
            timestamp: timestamp, latitude: latitude.billionths, longitude: longitude.billionths, simulated: simulated)
        location.horizontalAccuracy = horizontalAccuracy?.millionths
        location.altitude = altitude
        location.ellipsoidalAltitude = ellipsoidalAltitude?.millionths
        location.verticalAccuracy = verticalAccuracy?.millionths
        // On another datum, the receiver's sea level may also be another one.
        if datum == nil { location.addModelledAltitude() }
        let motion = motion
        location.course = motion.course
        location.courseAccuracy = motion.courseAccuracy?.millionths
        location.speed = motion.speed?.millionths
        location.speedAccuracy = motion.speedAccuracy?.millionths
        location.quality = LocationQuality(quality)
        location.correctionAge = correctionAge?.millionths
        location.satellitesUsed = satellitesUsed
        location.horizontalDilution = hdop?.millionths
        location.receiver = receiver
        if isAccessory { location.accessory = true }
        return location
    }
}

/// A value computed from a receiver's few digits has sixteen of them. Digits below a tenth of a millimetre mean
/// nothing, yet formatting and sending them would cost time with each fix.
extension Double {
    fileprivate var millionths: Double { (self * 1e6).rounded() / 1e6 }
    fileprivate var billionths: Double { (self * 1e9).rounded() / 1e9 }
}

extension LocationQuality {
    /// Creates the quality of a location from a fix quality in NMEA, or `nil` if it is unknown.
    init?(_ quality: FixQuality) {
        let known: LocationQuality? =
            switch quality {
            case .autonomous: .autonomous
            case .differential: .differential
            case .precise: .precise
            case .rtkFixed: .rtkFixed
            case .rtkFloat: .rtkFloat
            case .estimated: .deadReckoning
            case .manual: .fixed
            case .simulated: .simulated
            case .unknown: nil
            }
        guard let known else { return nil }
        self = known
    }
}

extension Satellite {
    /// Creates a satellite from a receiver's report in NMEA.
    init(_ satellite: SatelliteInView) {
        self.init(
            constellation: Constellation(satellite.constellation), number: satellite.number, used: satellite.used)
        elevation = satellite.elevation.map(Double.init)
        azimuth = satellite.azimuth.map(Double.init)
        signalStrength = satellite.signalStrength
    }
}

extension Satellite.Constellation {
    init(_ constellation: NMEA.Constellation) {
        self =
            switch constellation {
            case .gps: .gps
            case .sbas: .sbas
            case .glonass: .glonass
            case .galileo: .galileo
            case .beidou: .beidou
            case .qzss: .qzss
            case .navic: .navic
            }
    }
}
