import LocationModel
import NMEA

extension Fix {
    /// Creates the fix of an epoch, or `nil` if the receiver has not reported the date yet.
    convenience init?(_ epoch: Epoch, receiver: String) {
        guard let milliseconds = epoch.millisecondsSince1970 else { return nil }
        self.init(epoch, at: Timestamp(millisecondsSince1970: milliseconds), .receiver, receiver: receiver)
    }

    /// Creates the fix of an epoch, with a timestamp of that origin.
    convenience init(
        _ epoch: Epoch, at timestamp: Timestamp, _ dating: FixDating, receiver: String, isAccessory: Bool = false
    ) {
        var location = Location(
            timestamp: timestamp, latitude: epoch.latitude.billionths,
            longitude: epoch.longitude.billionths, simulated: epoch.simulated)
        location.horizontalAccuracy = epoch.horizontalAccuracy?.millionths
        location.altitude = epoch.altitude
        location.ellipsoidalAltitude = epoch.ellipsoidalAltitude?.millionths
        location.verticalAccuracy = epoch.verticalAccuracy?.millionths
        let motion = epoch.motion
        location.course = motion.course
        location.courseAccuracy = motion.courseAccuracy?.millionths
        location.speed = motion.speed?.millionths
        location.speedAccuracy = motion.speedAccuracy?.millionths
        location.quality = LocationQuality(epoch.quality)
        location.correctionAge = epoch.correctionAge?.millionths
        location.satellitesUsed = epoch.satellitesUsed
        location.horizontalDilution = epoch.hdop?.millionths
        location.receiver = receiver
        if isAccessory { location.accessory = true }
        self.init(
            location: location, dating: dating, dimension: epoch.dimension, vdop: epoch.vdop,
            pdop: epoch.pdop, datum: epoch.datum?.name)
    }
}

/// A value computed from a receiver's few digits has sixteen of them. Those beyond a tenth of a millimetre mean
/// nothing, yet formatting and sending them would cost time with each fix.
extension Double {
    fileprivate var millionths: Double { (self * 1e6).rounded() / 1e6 }
    fileprivate var billionths: Double { (self * 1e9).rounded() / 1e9 }
}

extension LocationQuality {
    /// Creates the quality of a location from that of a fix in NMEA, or `nil` if it is unknown.
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
    /// Creates a satellite from what the receiver reported in NMEA.
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
