internal import Glibc
internal import LocationModel
internal import ServiceSupport

/// The name of this machine, which is part of topics and client identifiers.
struct DeviceRule: ValueRule {
    func value(of written: String) throws(InvalidValue) -> String {
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

/// A topic for publishing: MQTT 5, 4.7, without control characters and noncharacters, which a broker or libmosquitto
/// may refuse in any text: 1.5.4.
struct TopicRule: ValueRule {
    func value(of written: String) throws(InvalidValue) -> String {
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

/// The file of a certificate or key, which must be readable now.
struct FileRule: ValueRule {
    func value(of written: String) throws(InvalidValue) -> String {
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
struct RegionNameRule: ValueRule {
    func value(of written: String) throws(InvalidValue) -> String {
        let hasControl = written.unicodeScalars.contains { $0.properties.generalCategory == .control }
        guard 1...CircularRegion.maximumIdentifierLength ~= written.utf8.count, !hasControl else {
            throw InvalidValue(
                "the name of a region has 1 to \(CircularRegion.maximumIdentifierLength) bytes "
                    + "without control characters")
        }
        return written
    }
}
