internal import Glibc
internal import NMEARelay
internal import SentenceWriting
internal import ServiceSupport

/// The configuration of an instance that serves. locationd-nmea(8) describes the keys.
struct ServeFile: InstanceFile {
    static let keys = ["to", "owner", "allow", "sentences", "talker", "interval", "log-level"]

    let to: Checked<TargetRule>
    let owner: Checked<OwnerRule>?
    let allow: [Checked<RangeRule>]?
    let sentences: [Checked<SentenceRule>]?
    let talker: Checked<TalkerRule>?
    let interval: Checked<IntervalRule>?
    let logLevel: Checked<LogLevelRule>?

    enum CodingKeys: String, CodingKey {
        case to, owner, allow, sentences, talker, interval
        case logLevel = "log-level"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        to = try container.decode(Checked<TargetRule>.self, forKey: .to)
        owner = try container.decodeIfPresent(Checked<OwnerRule>.self, forKey: .owner)
        allow = try container.decodeIfPresent([Checked<RangeRule>].self, forKey: .allow)
        sentences = try container.decodeIfPresent([Checked<SentenceRule>].self, forKey: .sentences)
        talker = try container.decodeIfPresent(Checked<TalkerRule>.self, forKey: .talker)
        interval = try container.decodeIfPresent(Checked<IntervalRule>.self, forKey: .interval)
        logLevel = try container.decodeIfPresent(Checked<LogLevelRule>.self, forKey: .logLevel)
        let target = to.value
        func refuse(_ key: CodingKeys, _ message: String) -> DecodingError {
            .dataCorrupted(.init(codingPath: decoder.codingPath + [key], debugDescription: message))
        }
        if target.isOpen, allow?.isEmpty != false {
            // Attack: everybody in the network, and every user of this machine, connects and learns where it is.
            throw refuse(.allow, "say who may connect to this machine, as in allow = [\"192.168.1.20\"]")
        }
        if !target.isOpen, allow != nil { throw refuse(.allow, "only a port to which readers connect has it") }
        if !target.isFile, owner != nil { throw refuse(.owner, "only a pty and a FIFO have an owner") }
        let kinds = (sentences ?? []).map(\.value)
        if sentences != nil, kinds.isEmpty || Set(kinds).count < kinds.count {
            throw refuse(.sentences, "name each sentence once, and at least one")
        }
    }

    /// The settings in the file, with the defaults of those that it leaves out.
    var settings: ServeSettings {
        ServeSettings(
            target: to.value, owner: owner?.value, allowed: (allow ?? []).map(\.value),
            kinds: sentences?.map(\.value) ?? LocationSentences.basicKinds, talker: talker?.value ?? "GP",
            interval: interval?.value)
    }
}

/// The settings of an instance that serves.
struct ServeSettings: Sendable {
    var target: ServeTarget
    /// The user who may open the pty or read the FIFO, or `nil` for the user of the program.
    var owner: uid_t?
    /// The addresses from which readers may connect.
    var allowed: [AddressRange] = []
    /// The sentences of each location.
    var kinds = LocationSentences.basicKinds
    var talker = "GP"
    /// The shortest time between two locations, in seconds, or `nil` for each of the receiver's.
    var interval: Double?
}

/// The way by which a program gets sentences.
enum TargetRule: ValueRule {
    static func value(of written: String) throws(InvalidValue) -> ServeTarget {
        do { return try ServeTarget(parsing: written) } catch { throw InvalidValue(error.description) }
    }
}

/// A user of this machine, by name or number.
enum OwnerRule: ValueRule {
    static func value(of written: String) throws(InvalidValue) -> uid_t {
        let isNumber = !written.isEmpty && written.utf8.allSatisfy { (0x30...0x39).contains($0) }
        if isNumber, let number = uid_t(written), number != .max { return number }
        guard !isNumber, !written.utf8.contains(0), let entry = getpwnam(written) else {
            throw InvalidValue("there is no user \"\(written)\"")
        }
        return entry.pointee.pw_uid
    }
}

/// A kind of sentence.
enum SentenceRule: ValueRule {
    static func value(of written: String) throws(InvalidValue) -> LocationSentences.Kind {
        guard let kind = LocationSentences.Kind(rawValue: written) else {
            let allowed = LocationSentences.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw InvalidValue("\"\(written)\" is not a sentence: use some of \(allowed)")
        }
        return kind
    }
}

/// The identifier of the talker: NMEA 0183, version 4.11, section 6.1.5.
enum TalkerRule: ValueRule {
    static func value(of written: String) throws(InvalidValue) -> String {
        let isTalker = written.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        // With a P, a sentence of a manufacturer's own begins.
        guard isTalker, written.utf8.count == 2, !written.hasPrefix("P") else {
            throw InvalidValue("\"\(written)\" is not a talker: use two capital letters, such as GP, GN or II")
        }
        return written
    }
}

/// The shortest time between two locations, in seconds.
enum IntervalRule: ValueRule {
    static func value(of written: WrittenNumber) throws(InvalidValue) -> Double {
        guard 0.1...3600 ~= written.value else { throw InvalidValue("use 0.1 to 3600 seconds") }
        return written.value
    }
}
