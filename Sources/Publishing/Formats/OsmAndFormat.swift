internal import JSON
internal import LocationModel

/// Traccar's OsmAnd protocol (traccar.org/osmand), as the form of an HTTP POST request.
///
/// Traccar reads the same parameters from the address of a request, but then proxies and servers have the position in
/// their logs. Duplicates are recognised by `id` and `timestamp`, which is in milliseconds.
package struct OsmAndFormat: ReportFormat {
    private let device: String

    /// Creates the format. `device` is the identifier of the device in Traccar.
    package init(device: String) {
        self.device = device
    }

    package var availability: Availability? { nil }
    package var announcements: [Message] { [] }

    package func state(of entry: QueuedReport) -> Message? { nil }

    package func message(for entry: QueuedReport) -> Message {
        let location = entry.report.location
        var form = Form()
        form.add("id", device)
        form.add("timestamp", "\(location.timestamp.millisecondsSince1970)")
        form.add("lat", location.latitude)
        form.add("lon", location.longitude)
        form.add("speed", location.speed.map { $0 * Self.knotsPerMetrePerSecond }, decimals: 3)
        form.add("bearing", location.course)
        form.add("altitude", location.altitude)
        form.add("accuracy", location.horizontalAccuracy)
        if let crossing = entry.report.crossing {
            form.add("event", crossing.isEntry ? "enter" : "leave")
            form.add("region", crossing.region)
        }
        return Message(topic: "", payload: Array(form.text.utf8))
    }

    private static let knotsPerMetrePerSecond = 3600.0 / 1852
}

/// The parameters of a form, in application/x-www-form-urlencoded.
private struct Form {
    private(set) var text = ""

    mutating func add(_ name: String, _ value: String) {
        if !text.isEmpty { text += "&" }
        text += name + "="
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                text += digits.utf8.count == 1 ? "%0" + digits : "%" + digits
            }
        }
    }

    /// Adds a number, unless it is `nil` or not finite. Without `decimals` it is as exact as it is.
    mutating func add(_ name: String, _ value: Double?, decimals: Int? = nil) {
        guard let value, value.isFinite else { return }
        var number = JSONWriter(capacity: 32)
        if let decimals { number.value(value, decimals: decimals) } else { number.value(value) }
        add(name, number.text)
    }
}
