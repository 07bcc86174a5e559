internal import Glibc
internal import LocationModel
internal import Publishing
internal import ServiceSupport

/// The address of the server.
enum BrokerRule: ValueRule {
    static func value(of written: String) throws(InvalidValue) -> BrokerAddress {
        do { return try BrokerAddress(parsing: written) } catch { throw InvalidValue(error.description) }
    }
}

/// The format of the messages.
enum FormatRule: ValueRule {
    static func value(of written: String) throws(InvalidValue) -> FormatName {
        guard let format = FormatName(rawValue: written) else {
            let allowed = FormatName.allCases.map(\.rawValue).joined(separator: ", ")
            throw InvalidValue("\"\(written)\" is not a format: use one of \(allowed)")
        }
        return format
    }
}

/// The name of this machine, which is part of topics and client identifiers.
enum DeviceRule: ValueRule {
    static func value(of written: String) throws(InvalidValue) -> String {
        let isName = written.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard isName, 1...64 ~= written.utf8.count else {
            throw InvalidValue("\"\(written)\" is not a name of a device: use 1 to 64 letters a to z, digits, _ and -")
        }
        return written
    }
}

/// A topic that messages can be published to: MQTT 5, 4.7, without what a broker or libmosquitto may refuse in any
/// text, which are control characters and what is not a character: 1.5.4.
enum TopicRule: ValueRule {
    static func value(of written: String) throws(InvalidValue) -> String {
        let hasForbidden = written.unicodeScalars.contains {
            $0 == "+" || $0 == "#" || $0.properties.generalCategory == .control || $0.properties.isNoncharacterCodePoint
        }
        guard 1...1000 ~= written.utf8.count, !hasForbidden, !written.hasPrefix("$"), !written.hasPrefix("/"),
            !written.hasSuffix("/")
        else {
            throw InvalidValue(
                "\"\(written)\" is not a topic: use 1 to 1000 bytes without +, # and control characters, "
                    + "without / at either end, and not beginning with $")
        }
        return written
    }
}

/// The version of MQTT.
enum MQTTVersionRule: ValueRule {
    static func value(of written: String) throws(InvalidValue) -> PublisherSettings.MQTTVersion {
        guard let version = PublisherSettings.MQTTVersion(rawValue: written) else {
            throw InvalidValue("\"\(written)\" is not a version of MQTT: use \"5\" or \"3.1.1\"")
        }
        return version
    }
}

/// The file of a certificate or key, which must be readable now.
enum FileRule: ValueRule {
    static func value(of written: String) throws(InvalidValue) -> String {
        guard written.hasPrefix("/") else { throw InvalidValue("\"\(written)\" is not an absolute path") }
        let descriptor = open(written, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw InvalidValue("\(written) cannot be read: \(String(cString: strerror(errno)))")
        }
        close(descriptor)
        return written
    }
}

/// The name of a region.
enum RegionNameRule: ValueRule {
    static func value(of written: String) throws(InvalidValue) -> String {
        let hasControl = written.unicodeScalars.contains { $0.properties.generalCategory == .control }
        guard 1...CircularRegion.maximumIdentifierLength ~= written.utf8.count, !hasControl else {
            throw InvalidValue(
                "the name of a region has 1 to \(CircularRegion.maximumIdentifierLength) bytes "
                    + "without control characters")
        }
        return written
    }
}

/// A number in a range.
protocol NumberRule: ValueRule where Written == WrittenNumber, Value == Double {
    static var range: ClosedRange<Double> { get }
    static var meaning: String { get }
}

extension NumberRule {
    static func value(of written: WrittenNumber) throws(InvalidValue) -> Double {
        guard range.contains(written.value) else {
            throw InvalidValue(
                "\(text(written.value)) is out of range: use \(meaning) from \(text(range.lowerBound)) "
                    + "to \(text(range.upperBound))")
        }
        return written.value
    }

    private static func text(_ value: Double) -> String { Int(exactly: value).map(String.init) ?? "\(value)" }
}

/// The minimum time between two locations, in seconds.
enum IntervalRule: NumberRule {
    static let range = 0.0...86_400
    static let meaning = "a number of seconds"
}

/// The minimum distance between two locations, in metres.
enum DistanceRule: NumberRule {
    static let range = 0.0...1_000_000
    static let meaning = "a number of metres"
}

/// The latitude of a region's centre.
enum LatitudeRule: NumberRule {
    static let range = -90.0...90
    static let meaning = "degrees"
}

/// The longitude of a region's centre.
enum LongitudeRule: NumberRule {
    static let range = -180.0...180
    static let meaning = "degrees"
}

/// The radius of a region.
enum RadiusRule: NumberRule {
    static let range = CircularRegion.radii
    static let meaning = "a number of metres"
}

/// A whole number in a range.
protocol WholeNumberRule: ValueRule where Written == Int, Value == Int {
    static var range: ClosedRange<Int> { get }
    static var unit: String { get }
}

extension WholeNumberRule {
    static func value(of written: Int) throws(InvalidValue) -> Int {
        guard range.contains(written) else {
            throw InvalidValue(
                "\(written) is out of range: use a whole number of \(unit) from \(range.lowerBound) "
                    + "to \(range.upperBound)")
        }
        return written
    }
}

/// The time without messages after which the connection is checked, in seconds.
enum KeepAliveRule: WholeNumberRule {
    static let range = 5...3600
    static let unit = "seconds"
}

/// The maximum number of reports in the queue.
enum CountRule: WholeNumberRule {
    static let range = 1...10_000_000
    static let unit = "reports"
}

/// The maximum age of a report in the queue.
enum AgeRule: WholeNumberRule {
    static let range = 1...31_536_000
    static let unit = "seconds"
}

/// The maximum size of the queue.
enum SizeRule: WholeNumberRule {
    static let range = 10_000...10_000_000_000
    static let unit = "bytes"
}
