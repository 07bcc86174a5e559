internal import ArgumentParser
internal import LocationModel
internal import LocationctlSupport
internal import NMEA
internal import Varlink

/// The output format of `decode`.
enum DecodedFormat: String, ExpressibleByArgument, CaseIterable {
    case json, csv, gpx

    func begin(_ output: inout OutputBuffer) {
        switch self {
        case .json: break
        case .csv:
            output.append("timestamp,latitude,longitude,altitude,speed,course,horizontalAccuracy,hdop,satellites\r\n")
        case .gpx: output.append(GPXTrack.beginning)
        }
    }

    func end(_ output: inout OutputBuffer) {
        if self == .gpx { output.append(GPXTrack.ending) }
    }

    func write(_ epoch: Epoch, to output: inout OutputBuffer) {
        let timestamp = epoch.millisecondsSince1970.map(Timestamp.init(millisecondsSince1970:))
        switch self {
        case .json: output.appendJSONLine { writer in Self.writeFields(epoch, timestamp, &writer) }
        case .csv:
            let numbers = [
                epoch.altitude, epoch.speed, epoch.course, epoch.horizontalAccuracy, epoch.hdop,
            ].map { $0.map { "\($0)" } ?? "" }
            output.append(
                ([timestamp?.description ?? "", "\(epoch.latitude)", "\(epoch.longitude)"] + numbers
                    + [epoch.satellitesUsed.map(String.init) ?? ""]).joined(separator: ",") + "\r\n")
        case .gpx:
            output.append(
                GPXTrack.point(
                    latitude: epoch.latitude, longitude: epoch.longitude, altitude: epoch.altitude,
                    timestamp: timestamp))
        }
    }

    /// Returns the quality as in locations, or `nil` if it is unknown.
    private static func quality(_ quality: FixQuality) -> String? {
        switch quality {
        case .autonomous: "autonomous"
        case .differential: "differential"
        case .precise: "precise"
        case .rtkFixed: "rtkFixed"
        case .rtkFloat: "rtkFloat"
        case .estimated: "deadReckoning"
        case .manual: "fixed"
        case .simulated: "simulated"
        case .unknown: nil
        }
    }

    private static func writeFields(_ epoch: Epoch, _ timestamp: Timestamp?, _ writer: inout JSONWriter) {
        if let timestamp {
            writer.key("timestamp")
            writer.value(plain: timestamp.rfc3339.span)
        }
        writer.field("latitude", epoch.latitude)
        writer.field("longitude", epoch.longitude)
        writer.field("horizontalAccuracy", epoch.horizontalAccuracy)
        writer.field("altitude", epoch.altitude)
        writer.field("ellipsoidalAltitude", epoch.ellipsoidalAltitude)
        writer.field("verticalAccuracy", epoch.verticalAccuracy)
        writer.field("course", epoch.course)
        writer.field("courseAccuracy", epoch.courseAccuracy)
        writer.field("speed", epoch.speed)
        writer.field("speedAccuracy", epoch.speedAccuracy)
        writer.field("hdop", epoch.hdop)
        writer.field("satellitesUsed", epoch.satellitesUsed.map(Int64.init))
        writer.field("quality", Self.quality(epoch.quality))
        writer.field("simulated", epoch.simulated)
    }
}
