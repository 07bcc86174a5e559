internal import LocationModel
internal import NIOCore
internal import SentenceWriting

/// The dialects whose commands are sentences of NMEA 0183. Each answer is a sentence with the command's number.

/// Returns the numbers in the fields of a sentence with this address, or in the first `count` of them. Returns `nil`
/// for another message, and for fields that are not numbers.
private func numbers(in message: ReceiverMessage, of address: String, count: Int? = nil) -> [Int]? {
    guard case .sentence(let fields) = message, fields[0] == address, fields.count > count ?? 1 else { return nil }
    let texts = fields.dropFirst().prefix(count ?? .max)
    let numbers = texts.compactMap { Int($0) }
    return numbers.count == texts.count ? numbers : nil
}

/// PMTK (MediaTek, "PMTK Command Packet"; Quectel L80 protocol).
struct MediaTekDialect: ReceiverDialect {
    let name = ReceiverProfile.Dialect.mtk

    /// Any byte wakes it. PMTK225,4, which needs a pin, is never sent.
    let standby = [Standby(.sentence("PMTK161", [0])), Standby(.sentence("PMTK161", [0]))]
    /// The system message about its start.
    let startText = "PMTK010,001"

    static func identity(_ fields: [String]) -> (ReceiverIdentity, any ReceiverDialect)? {
        guard fields[0] == "PMTK705", fields.count > 1 else { return nil }
        let model = fields.count > 3 ? fields[3] : nil
        return (ReceiverIdentity(.mtk, maker: "MediaTek", model: model, firmware: fields[1]), MediaTekDialect())
    }

    func nearestInterval(to milliseconds: Int) -> Int { max(100, min(10_000, milliseconds)) }

    func exchanges(for wanted: WantedSetting) -> [Exchange] {
        switch wanted {
        case .interval(let milliseconds):
            return interval(
                milliseconds, read: .sentence("PMTK400", []), 400,
                value: { numbers(in: $0, of: "PMTK500", count: 1) }, write: { .sentence("PMTK220", $0) }, 220)
        case .positionSentencesOnly:
            // GLL, RMC, VTG, GGA, GSA, GSV and others: the number of fixes for each sentence.
            return [
                Exchange(
                    .messages, read: .sentence("PMTK414", []), 414, value: { numbers(in: $0, of: "PMTK514") },
                    wanted: { value in
                        value.count < 6
                            ? nil : value.enumerated().map { [0, 2, 5].contains($0.offset) ? 0 : $0.element }
                    },
                    write: { .sentence("PMTK314", $0) }, 314,
                    text: { $0.map(String.init).joined(separator: ",") })
            ]
        case .predictions:
            return [
                Exchange(
                    .predictions, read: .sentence("PMTK869", [0]), 869,
                    value: { numbers(in: $0, of: "PMTK869").flatMap { $0.count > 1 && $0[0] == 2 ? [$0[1]] : nil } },
                    wanted: { _ in [1] }, write: { .sentence("PMTK869", [1] + $0) }, 869)
            ]
        case .model, .constellations, .ubx, .acknowledgements, .correctionReports: return []  // cannot be read
        }
    }

    func verdict(in message: ReceiverMessage) -> Verdict? {
        guard let numbers = numbers(in: message, of: "PMTK001", count: 2) else { return nil }
        return Verdict(command: numbers[0], isAccepted: numbers[1] == 3)
    }

    func help(time: FirstFixHelp.Time) -> ReceiverMessage? { .sentence("PMTK740", time.fields) }

    /// It wants the place within 30 km, and the time with it.
    func help(position: FirstFixHelp.Position, time: FirstFixHelp.Time?) -> ReceiverMessage? {
        guard let time, position.accuracy <= 30_000 else { return nil }
        let place = [position.latitude, position.longitude].map { SentenceWriter.decimal($0, decimals: 6) }
        return .sentence(["PMTK741"] + place + ["\(position.altitude)"] + time.fields.map(String.init))
    }
}

/// PAIR (Airoha; Quectel LC76G and LC29H protocols). The numbers of the questions are from memory, but for PAIR020 and
/// PAIR491: a receiver that lacks one does not answer it, and is not set.
struct AirohaDialect: ReceiverDialect {
    let name = ReceiverProfile.Dialect.airoha

    /// The engine off; the UART still listens. PAIR650, which needs a pin, is never sent.
    let standby = [Standby(.sentence("PAIR003", []), silences: false)]
    var start: [UInt8]? { ReceiverMessage.sentence("PAIR002", []).frame }
    /// The request for help with the first fix.
    let startText = "PAIR010,"

    /// Reads PAIR020 or PQTMVERNO. Quectel's modules without PAIR, such as LG290P, answer the latter, too.
    static func identity(_ fields: [String]) -> (ReceiverIdentity, any ReceiverDialect)? {
        guard fields.count > 1 else { return nil }
        switch fields[0] {
        case "PAIR020":
            return (ReceiverIdentity(.airoha, maker: "Airoha", firmware: fields[1]), AirohaDialect())
        case "PQTMVERNO" where fields[1].hasPrefix("LC"):
            return (
                ReceiverIdentity(.airoha, maker: "Quectel", model: String(fields[1].prefix(6)), firmware: fields[1]),
                AirohaDialect()
            )
        default: return nil
        }
    }

    func nearestInterval(to milliseconds: Int) -> Int { max(100, min(1000, milliseconds)) }

    private static let models: [DynamicModel: Int] = [.portable: 0, .automotive: 0, .pedestrian: 1, .airborne: 5]
    private static let modelNames = [0: "normal", 1: "fitness", 5: "drone", 7: "swimming"]
    private static let constellations = ["gps", "glonass", "galileo", "beidou", "qzss"]

    func exchanges(for wanted: WantedSetting) -> [Exchange] {
        switch wanted {
        case .interval(let milliseconds):
            return interval(
                milliseconds, read: .sentence("PAIR051", []), 51, value: { numbers(in: $0, of: "PAIR051") },
                write: { .sentence("PAIR050", $0) }, 50)
        case .model(let model):
            return [
                exchange(
                    .model, read: 81, write: 80, wanted: { _ in Self.models[model].map { [$0] } },
                    text: { value in Self.modelNames[value[0]] ?? "model \(value[0])" })
            ]
        case .constellations(let names):
            guard names.isSubset(of: Self.constellations) else { return [] }
            return [
                exchange(
                    .constellations, read: 67, write: 66,
                    wanted: { value in
                        guard value.count >= Self.constellations.count else { return nil }
                        return Self.constellations.map { names.contains($0) ? 1 : 0 }
                            + value.dropFirst(Self.constellations.count)
                    },
                    text: { WantedSetting.list(zip(Self.constellations, $0).filter { $0.1 == 1 }.map(\.0)) },
                    settlingTime: .seconds(1))
            ]
        case .positionSentencesOnly:
            // 1 GLL, 3 GSV, 5 VTG: the number of fixes for each sentence.
            return [(1, "gll"), (3, "gsv"), (5, "vtg")].map { sentence in
                exchange(.messages, part: sentence.1, read: 63, of: sentence.0, write: 62, wanted: { _ in [0] })
            }
        case .predictions:
            return [
                Exchange(
                    .predictions, read: .sentence("PAIR491", []), 491,
                    value: { numbers(in: $0, of: "PAIR491").map { [$0[0]] } }, wanted: { _ in [1] },
                    write: { .sentence("PAIR490", $0) }, 490)
            ]
        case .ubx, .acknowledgements, .correctionReports: return []
        }
    }

    /// Returns the exchange about a command with numbers. `kind`, if given, is the first of them.
    private func exchange(
        _ name: ReceiverSetting.Name, part: String = "", read: Int, of kind: Int? = nil, write: Int,
        wanted: @escaping ([Int]) -> [Int]?, text: (([Int]) -> String)? = nil, settlingTime: TimeAmount = .zero
    ) -> Exchange {
        let prefix = kind.map { [$0] } ?? []
        let (question, command) = ("PAIR\(read.padded(to: 3))", "PAIR\(write.padded(to: 3))")
        return Exchange(
            name, part: part, read: .sentence(question, prefix), read,
            value: { message in
                numbers(in: message, of: question).flatMap {
                    $0.starts(with: prefix) && $0.count > prefix.count ? Array($0.dropFirst(prefix.count)) : nil
                }
            }, wanted: wanted, write: { .sentence(command, prefix + $0) }, write, text: text,
            settlingTime: settlingTime)
    }

    /// 0 done, 1 in progress, others refuse.
    func verdict(in message: ReceiverMessage) -> Verdict? {
        guard let numbers = numbers(in: message, of: "PAIR001"), numbers.count >= 2, numbers[1] != 1 else { return nil }
        return Verdict(command: numbers[0], isAccepted: numbers[1] == 0)
    }

    /// It wants the time within 3 s.
    func help(time: FirstFixHelp.Time) -> ReceiverMessage? {
        time.accuracy <= 3 ? .sentence("PAIR590", time.fields) : nil
    }

    /// Latitude, longitude, height, the axes and the bearing of the error, the error of the height.
    func help(position: FirstFixHelp.Position, time: FirstFixHelp.Time?) -> ReceiverMessage? {
        let place = [position.latitude, position.longitude].map { SentenceWriter.decimal($0, decimals: 6) }
        let errors = [position.altitude, position.accuracy, position.accuracy, 0, 1000].map(String.init)
        return .sentence(["PAIR600"] + place + errors)
    }
}

/// PQTM of modules without PAIR (Quectel LG290P protocol). Their settings take effect only once they are saved, which
/// is never done, and their standby may not end.
struct QuectelDialect: ReceiverDialect {
    let name = ReceiverProfile.Dialect.quectel

    static func identity(_ fields: [String]) -> (ReceiverIdentity, any ReceiverDialect)? {
        guard fields[0] == "PQTMVERNO", fields.count > 1, fields[1].hasPrefix("LG") else { return nil }
        let model = String(fields[1].prefix(6))
        return (ReceiverIdentity(.quectel, maker: "Quectel", model: model, firmware: fields[1]), QuectelDialect())
    }

    func exchanges(for wanted: WantedSetting) -> [Exchange] { [] }

    func verdict(in message: ReceiverMessage) -> Verdict? { nil }
}

/// PSTM (ST UM2791, "Teseo software commands").
struct TeseoDialect: ReceiverDialect {
    let name = ReceiverProfile.Dialect.stm

    let standby = [Standby(.sentence("PSTMGPSSUSPEND", []), silences: false)]
    var start: [UInt8]? { ReceiverMessage.sentence("PSTMGPSRESTART", []).frame }
    /// The owner of the rights in a TXT sentence, from memory.
    let startText = "ST Microelectronics"

    static func identity(_ fields: [String]) -> (ReceiverIdentity, any ReceiverDialect)? {
        guard fields[0] == "PSTMVER", fields.count > 1 else { return nil }
        return (ReceiverIdentity(.stm, maker: "STMicroelectronics", firmware: fields[1]), TeseoDialect())
    }

    /// The parameter for the interval in seconds, of the configuration in use (1), not of the one in flash (3). Its
    /// number is from memory; a receiver that has no such parameter refuses it.
    private static let interval = "1303"

    func nearestInterval(to milliseconds: Int) -> Int { max(100, min(1000, milliseconds)) }

    func exchanges(for wanted: WantedSetting) -> [Exchange] {
        guard case .interval(let milliseconds) = wanted else { return [] }
        return interval(
            milliseconds, read: .sentence(["PSTMGETPAR", Self.interval]), 0,
            value: { message in
                guard case .sentence(let fields) = message, fields.count > 2, fields[0] == "PSTMSET",
                    fields[1] == Self.interval, let seconds = Double(fields[2]), (0.001...3600).contains(seconds)
                else { return nil }
                return [Int((seconds * 1000).rounded())]
            },
            write: { .sentence(["PSTMSETPAR", Self.interval, "\(Double($0[0]) / 1000)"]) }, 0)
    }

    /// The sentences do not name the command, but the parameter.
    func verdict(in message: ReceiverMessage) -> Verdict? {
        guard case .sentence(let fields) = message else { return nil }
        return switch fields[0] {
        case "PSTMSETPAROK": Verdict(command: nil, isAccepted: true)
        case "PSTMSETPARERROR", "PSTMGETPARERROR": Verdict(command: nil, isAccepted: false)
        default: nil
        }
    }

    /// Day, month and year come first.
    func help(time: FirstFixHelp.Time) -> ReceiverMessage? { .sentence("PSTMINITTIME", Self.moment(time)) }

    func help(position: FirstFixHelp.Position, time: FirstFixHelp.Time?) -> ReceiverMessage? {
        guard let time else { return nil }
        let place = [
            SentenceWriter.latitude(position.latitude), SentenceWriter.longitude(position.longitude),
            max(0, position.altitude).padded(to: 4),
        ]
        return .sentence(["PSTMINITGPS"] + place + Self.moment(time).map(String.init))
    }

    /// The ephemerides: the satellite, a number of bytes, and these bytes in hexadecimal digits. They are loaded while
    /// the engine is stopped (ST UM2791, "PSTMDUMPEPHEMS", "PSTMEPHEM").
    var database: DatabaseCommands? {
        DatabaseCommands(
            question: .sentence("PSTMDUMPEPHEMS", []),
            isPart: { message in
                guard case .sentence(let fields) = message, fields[0] == "PSTMEPHEM", fields.count > 3 else {
                    return false
                }
                return fields.dropFirst().allSatisfy { $0.allSatisfy(\.isHexDigit) }
            }, stop: .sentence("PSTMGPSSUSPEND", []), start: .sentence("PSTMGPSRESTART", []))
    }

    private static func moment(_ time: FirstFixHelp.Time) -> [Int] {
        let fields = time.fields
        return [fields[2], fields[1], fields[0]] + fields[3...]
    }
}
