internal import JSON
internal import LocationModel

/// A parser for the output of `locationctl watch --json` and `locationctl decode`: one JSON object per line, with the
/// location in its member `location` or in its own members.
struct JSONLines {
    /// The maximum length of a line in bytes. Longer lines are skipped.
    static let maximumLength = 65_536

    enum Line {
        case fix(LogFix)
        /// An event without a location, such as a pause.
        case event
        case unreadable
    }

    /// The number of the last returned line, counted from 1.
    private(set) var number = 0
    private var pending: [UInt8] = []
    private var isOverlong = false

    /// Returns the next line in `bytes` at or after `offset`, or `nil` at their end. Advances `offset` past the line.
    mutating func next(in bytes: Span<UInt8>, at offset: inout Int) -> Line? {
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            if byte == UInt8(ascii: "\n") {
                if let line = endLine() { return line }
            } else if pending.count < Self.maximumLength {
                pending.append(byte)
            } else {
                isOverlong = true
            }
        }
        return nil
    }

    /// Ends the line, at a line feed or at the end of the log. Returns the line, or `nil` if it is blank.
    mutating func endLine() -> Line? {
        number += 1
        defer {
            pending.removeAll(keepingCapacity: true)
            isOverlong = false
        }
        guard !isOverlong else { return .unreadable }
        guard !pending.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) else { return nil }
        guard let value = try? JSONValue(parsing: pending.span), case .object = value else { return .unreadable }
        return Self.line(value)
    }

    private static func line(_ value: JSONValue) -> Line {
        let location = value["location"] ?? value
        guard let latitude = location["latitude"]?.number, let longitude = location["longitude"]?.number else {
            return value["event"]?.string == nil ? .unreadable : .event
        }
        guard latitude.magnitude <= 90, longitude.magnitude <= 180 else { return .unreadable }
        let time = location["timestamp"]?.string.flatMap(Timestamp.init)?.millisecondsSince1970
        var fix = LogFix(time: time, latitude: latitude, longitude: longitude)
        fix.horizontalAccuracy = location["horizontalAccuracy"]?.number.flatMap { $0 >= 0 ? $0 : nil }
        fix.altitude = location["altitude"]?.number
        fix.speed = location["speed"]?.number.flatMap { $0 >= 0 ? $0 : nil }
        fix.satellitesUsed = location["satellitesUsed"]?.number.flatMap { Int(exactly: $0) }
        if case .bool(true) = location["simulated"] { fix.simulated = true }
        return .fix(fix)
    }
}
