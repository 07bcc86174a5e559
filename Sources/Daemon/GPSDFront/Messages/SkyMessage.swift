internal import JSON
internal import LocationCore
internal import LocationModel
internal import Receivers

/// The contents of SKY: dilutions of precision and satellites.
struct SkyMessage: Equatable {
    var vdop: Double?
    var hdop: Double?
    var pdop: Double?
    /// The satellites in view, or `nil` if the client may not have them.
    var satellites: [Satellite]?

    /// Creates a sky with nothing known.
    init() {}

    /// Creates the sky of a receiver's report.
    init(_ report: ReceiverUpdate) {
        vdop = report.fix?.vdop
        hdop = report.fix?.location.horizontalDilution
        pdop = report.fix?.pdop
        satellites = report.satellites
        // Receivers stop sending the list together with the fix. No satellite is used then.
        guard report.fix == nil, var seen = satellites else { return }
        for index in seen.indices { seen[index].used = false }
        satellites = seen
    }

    /// A Boolean value indicating whether there is something to report.
    var isKnown: Bool { hdop != nil || pdop != nil || !(satellites ?? []).isEmpty }
}

extension JSONWriter {
    /// Writes SKY.
    mutating func sky(_ sky: SkyMessage, device: String?) {
        message("SKY") { writer in
            writer.field("device", device)
            writer.field("vdop", sky.vdop, decimals: 2)
            writer.field("hdop", sky.hdop, decimals: 2)
            writer.field("pdop", sky.pdop, decimals: 2)
            guard let satellites = sky.satellites, !satellites.isEmpty else { return }
            writer.integer("nSat", satellites.count)
            writer.integer("uSat", satellites.count { $0.used })
            writer.key("satellites")
            writer.beginArray()
            for satellite in satellites { writer.satellite(satellite) }
            writer.endArray()
        }
    }

    private mutating func satellite(_ satellite: Satellite) {
        beginObject()
        integer("PRN", satellite.prn)
        field("el", satellite.elevation, decimals: 1)
        field("az", satellite.azimuth, decimals: 1)
        field("ss", satellite.signalStrength, decimals: 1)
        field("used", satellite.used)
        if let constellation = satellite.constellation {
            integer("gnssid", constellation.gnssID)
            integer("svid", satellite.number)
        }
        endObject()
    }
}

extension Satellite {
    /// gpsd's number of the satellite, as in NMEA 0183 before 4.10 and in receiver makers' own numbering.
    fileprivate var prn: Int {
        switch constellation {
        case .gps, nil: number
        case .sbas: number <= 151 ? number - 87 : number
        case .glonass: number + 64
        case .qzss: number + 192
        case .galileo: number + 300
        case .beidou: number + 400
        case .navic: number + 500
        }
    }
}

extension Satellite.Constellation {
    /// The number of the system in u-blox's and gpsd's numbering (u-blox 8 Receiver Description, "GNSS identifiers").
    fileprivate var gnssID: Int {
        switch self {
        case .gps: 0
        case .sbas: 1
        case .galileo: 2
        case .beidou: 3
        case .qzss: 5
        case .glonass: 6
        case .navic: 7
        }
    }
}
