import NMEA
import Positioning

extension Fix {
    /// The fix of an epoch; `nil` before the receiver has told its date.
    init?(_ epoch: Epoch, receiver: String) {
        guard let milliseconds = epoch.millisecondsSince1970 else { return nil }
        var location = Location(
            timestamp: Timestamp(millisecondsSince1970: milliseconds), latitude: epoch.latitude,
            longitude: epoch.longitude, simulated: epoch.simulated)
        location.horizontalAccuracy = epoch.horizontalAccuracy
        location.altitude = epoch.altitude
        location.ellipsoidalAltitude = epoch.ellipsoidalAltitude
        location.verticalAccuracy = epoch.verticalAccuracy
        location.course = epoch.course
        location.courseAccuracy = epoch.courseAccuracy
        location.speed = epoch.speed
        location.speedAccuracy = epoch.speedAccuracy
        location.receiver = receiver
        self.init(location: location)
        quality = epoch.quality
        dimension = epoch.dimension
        satellitesUsed = epoch.satellitesUsed
        hdop = epoch.hdop
        vdop = epoch.vdop
        pdop = epoch.pdop
        otherDatum = epoch.otherDatum
    }
}

extension Satellite {
    /// A satellite as the receiver told it in NMEA.
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
