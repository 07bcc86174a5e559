internal import JSON
internal import LocationCore
internal import LocationModel
internal import NMEA
internal import Receivers

/// The contents of TPV: time, position, velocity.
struct PositionMessage: Equatable {
    /// The path of the device, or `nil` if there is none.
    var device: String?
    /// 2 differential, 3 RTK fixed, 4 RTK float, 5 dead reckoning, 7 entered by hand, 8 simulated, 9 P(Y) code.
    /// `nil` for a plain fix.
    var status: Int?
    /// 1 for no fix, 2 or 3 for the dimensions of the fix.
    var mode: Int
    /// The location, or `nil` without a fix. A location with reduced accuracy has only a place and a radius.
    var location: Location?
    /// The strength of interference that the receiver reports, from 0, none, to 255, or `nil` if it reports none.
    var jamming: UInt8?
    /// The climb and its error, or `nil` if the previous altitude is not known.
    var climb: Climb?
    /// A Boolean value indicating whether the time is the receiver's own.
    var isReceiversTime = false

    /// Creates a report that there is no fix.
    init(withoutFixOf device: String?, jamming: UInt8? = nil) {
        self.device = device
        self.jamming = jamming
        mode = 1
    }

    /// Creates the report of a location.
    ///
    /// - Parameters:
    ///   - fix: The receiver's further data, or `nil` if there are none or the client may not have them.
    ///   - jamming: See ``jamming``.
    ///   - climb: See ``climb``.
    init(_ location: Location, fix: Fix?, device: String?, jamming: UInt8? = nil, climb: Climb? = nil) {
        self.device = device
        self.location = location
        self.jamming = jamming
        self.climb = climb
        isReceiversTime = fix?.dating == .receiver
        status = location.simulated ? 8 : location.quality?.status
        let hasAltitude = location.altitude != nil || location.ellipsoidalAltitude != nil
        mode = fix?.dimension.map { Int($0.rawValue) } ?? (hasAltitude ? 3 : 2)
    }
}

extension LocationQuality {
    /// The status in gpsd's TPV (gps.h 3.22, STATUS_), or `nil` for a plain fix.
    fileprivate var status: Int? {
        switch self {
        case .autonomous: nil
        case .differential: 2
        case .rtkFixed: 3
        case .rtkFloat: 4
        case .deadReckoning, .remembered: 5
        case .fixed: 7
        case .simulated: 8
        case .precise: 9
        }
    }
}

extension JSONWriter {
    /// Writes TPV.
    mutating func position(_ position: PositionMessage) {
        message("TPV") { writer in
            writer.field("device", position.device)
            writer.integer("status", position.status)
            writer.integer("mode", position.mode)
            // gpsd 3.26 leaves 0 out.
            defer { if let jamming = position.jamming, jamming > 0 { writer.integer("jam", Int(jamming)) } }
            guard let location = position.location else { return }
            writer.time("time", location.timestamp)
            // gpsd's own figure for receivers that do not report one (gpsd 3.22).
            if position.isReceiversTime { writer.field("ept", 0.005, decimals: 3) }
            writer.field("lat", location.latitude, decimals: 9)
            writer.field("lon", location.longitude, decimals: 9)
            writer.fields(of: location, climb: position.mode == 3 ? position.climb : nil, is3D: position.mode == 3)
        }
    }

    /// Writes the fields after the place. gpsd has no altitude in a fix of two dimensions.
    private mutating func fields(of location: Location, climb: Climb?, is3D: Bool) {
        if is3D {
            field("altHAE", location.ellipsoidalAltitude, decimals: 4)
            field("altMSL", location.altitude, decimals: 4)
            field("alt", location.altitude ?? location.ellipsoidalAltitude, decimals: 4)
        }
        field("epx", ErrorConversion.axis(location.horizontalAccuracy), decimals: 3)
        field("epy", ErrorConversion.axis(location.horizontalAccuracy), decimals: 3)
        if is3D { field("epv", ErrorConversion.interval(location.verticalAccuracy), decimals: 3) }
        field("track", location.course, decimals: 4)
        field("speed", location.speed, decimals: 3)
        field("climb", climb?.metersPerSecond, decimals: 3)
        field("epd", ErrorConversion.interval(location.courseAccuracy), decimals: 4)
        field("eps", ErrorConversion.interval(location.speedAccuracy), decimals: 2)
        field("epc", climb?.error, decimals: 2)
        if is3D, let above = location.ellipsoidalAltitude, let altitude = location.altitude {
            field("geoidSep", above - altitude, decimals: 3)
        }
        field("eph", ErrorConversion.radius(location.horizontalAccuracy), decimals: 3)
        field("dgpsAge", location.correctionAge, decimals: 1)
    }
}
