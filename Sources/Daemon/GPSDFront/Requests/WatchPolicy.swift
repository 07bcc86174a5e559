internal import LocationCore
internal import Receivers

/// The reports that a client has requested, as in gpsd's WATCH.
struct WatchPolicy: Equatable {
    /// A Boolean value indicating whether the client wants to receive anything.
    var isEnabled = false
    /// Reports as JSON.
    var json = false
    /// Sentences of NMEA 0183.
    var nmea = false
    /// The receiver's bytes: 1 or 2. The client receives only the receiver's own sentences.
    var raw = 0
    /// These options only concern messages that are not served. They are repeated, as in gpsd.
    var scaled = false
    var timing = false
    var split24 = false
    var pps = false
    /// The path of the only device whose reports the client wants, or `nil` for all.
    var device: String?

    /// A Boolean value indicating whether the client wants sentences.
    var wantsSentences: Bool { nmea || raw > 0 }

    /// The contents of the core's reports besides locations. A client that only polls has requested neither, and
    /// receives satellites.
    var reportContents: ReceiverReportContents {
        guard wantsSentences else { return .satellites }
        return json ? [.satellites, .sentences] : .sentences
    }

    /// Applies a change. As in gpsd, a request without `enable` enables the policy, and one without a device or `pps`
    /// resets these; everything else stays as it was.
    mutating func apply(_ change: WatchChange) {
        isEnabled = change.enable ?? true
        json = change.json ?? json
        nmea = change.nmea ?? nmea
        raw = change.raw ?? raw
        scaled = change.scaled ?? scaled
        timing = change.timing ?? timing
        split24 = change.split24 ?? split24
        pps = change.pps ?? false
        device = change.device
    }
}

/// The parameters of `?WATCH={…}`.
struct WatchChange: Equatable {
    var enable: Bool?
    var json: Bool?
    var nmea: Bool?
    var raw: Int?
    var scaled: Bool?
    var timing: Bool?
    var split24: Bool?
    var pps: Bool?
    /// The path of a device, or `nil` for all.
    var device: String?
}

extension WatchChange {
    init(_ parameters: ParameterReader) throws(InvalidParameters) {
        enable = try parameters.bool("enable")
        json = try parameters.bool("json")
        nmea = try parameters.bool("nmea")
        raw = try parameters.number("raw", limit: 2)
        scaled = try parameters.bool("scaled")
        timing = try parameters.bool("timing")
        split24 = try parameters.bool("split24")
        pps = try parameters.bool("pps")
        device = try parameters.string("device").flatMap { $0.isEmpty ? nil : $0 }
    }
}
