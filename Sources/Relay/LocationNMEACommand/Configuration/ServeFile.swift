internal import Glibc
internal import Logging
internal import NMEARelay
internal import SentenceWriting
internal import ServiceSupport

/// The configuration of an instance that serves. locationd-nmea(8) describes the keys.
struct ServeFile: InstanceFile {
    static let keys = ["to", "owner", "allow", "sentences", "talker", "interval", "log-level"]

    let to: ServeTarget
    let owner: uid_t?
    let allow: [AddressRange]?
    let sentences: [LocationSentences.Kind]?
    let talker: String?
    let interval: Double?
    let logLevel: Logger.Level?

    enum CodingKeys: String, CodingKey {
        case to, owner, allow, sentences, talker, interval
        case logLevel = "log-level"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        to = try container.decode(.to, by: Parsed(ServeTarget.init(parsing:)))
        owner = try container.decodeIfPresent(.owner, by: UserRule())
        allow = try container.decodeListIfPresent(.allow, by: Parsed(AddressRange.init(parsing:)))
        sentences = try container.decodeListIfPresent(
            .sentences,
            by: OneOf<LocationSentences.Kind> { "\"\($0)\" is not a sentence: use some of \($1)" })
        talker = try container.decodeIfPresent(.talker, by: TalkerRule())
        interval = try container.decodeIfPresent(
            .interval, by: InRange(0.1...3600, refusal: { _ in "use 0.1 to 3600 seconds" }))
        logLevel = try container.decodeIfPresent(.logLevel, by: .logLevel)
        func refuse(_ key: CodingKeys, _ message: String) -> DecodingError {
            .dataCorrupted(.init(codingPath: decoder.codingPath + [key], debugDescription: message))
        }
        if to.isOpen, allow?.isEmpty != false {
            // Attack: any host in the network, or any user of this machine, connects and learns where it is.
            throw refuse(.allow, "say who may connect to this machine, as in allow = [\"192.168.1.20\"]")
        }
        if !to.isOpen, allow != nil { throw refuse(.allow, "applies only to tcp:// targets: remove it") }
        if !to.isFile, owner != nil { throw refuse(.owner, "only a pty and a FIFO have an owner") }
        if let sentences, sentences.isEmpty || Set(sentences).count < sentences.count {
            throw refuse(.sentences, "name each sentence once, and at least one")
        }
    }

    /// The settings in the file, with defaults for missing keys.
    var settings: ServeSettings {
        ServeSettings(
            target: to, owner: owner, allowed: allow ?? [], kinds: sentences ?? LocationSentences.basicKinds,
            talker: talker ?? "GP", interval: interval)
    }
}

/// The settings of an instance that serves.
struct ServeSettings: Sendable {
    var target: ServeTarget
    /// The user who may open the pty or read the FIFO, or `nil` for the user of the program.
    var owner: uid_t?
    /// The addresses that readers may connect from.
    var allowed: [AddressRange] = []
    /// The sentences of each location.
    var kinds = LocationSentences.basicKinds
    var talker = "GP"
    /// The shortest time between two locations, in seconds, or `nil` for every location of the receiver.
    var interval: Double?
}

/// The talker identifier: NMEA 0183, version 4.11, section 6.1.5.
struct TalkerRule: ValueRule {
    func value(of written: String) throws(InvalidValue) -> String {
        let isTalker = written.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        // A P begins a manufacturer's proprietary sentence.
        guard isTalker, written.utf8.count == 2, !written.hasPrefix("P") else {
            throw InvalidValue("\"\(written)\" is not a talker: use two capital letters, such as GP, GN or II")
        }
        return written
    }
}
