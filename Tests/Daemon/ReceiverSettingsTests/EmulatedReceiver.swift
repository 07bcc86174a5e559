@testable import ReceiverSettings

/// A receiver that answers commands: values in volatile memory, and the answers that its maker documents.
final class EmulatedReceiver {
    enum Personality: CaseIterable {
        case m8, m10, mt3333, ag3335, at6558, teseo, venus

        var dialect: ReceiverProfile.Dialect {
            switch self {
            case .m8, .m10: .ublox
            case .mt3333: .mtk
            case .ag3335: .airoha
            case .at6558: .casic
            case .teseo: .stm
            case .venus: .skytraq
            }
        }
    }

    let personality: Personality
    /// The keys and their values of an M10, which are of 1, 2 or 4 bytes.
    var keys: [Int: Int] = [
        0x3021_0001: 1000, 0x3021_0002: 1, 0x2011_0021: 0, 0x1031_001F: 1, 0x1031_0020: 1, 0x1031_0021: 1,
        0x1031_0022: 1, 0x1031_0024: 1, 0x1031_0025: 0, 0x1023_0001: 0, 0x2091_0007: 0, 0x2091_0039: 0,
        0x1011_0025: 0, 0x2091_0016: 0, 0x1074_0002: 1, 0x2091_00CA: 1, 0x2091_00C5: 1, 0x2091_00B1: 1,
        0x2091_0034: 0, 0x2091_0269: 0,
    ]
    /// The payloads of an M8's configuration messages, and the rates of its messages at UART1.
    var payloads: [UInt16: [UInt8]] = [
        0x06_08: [0xE8, 3, 1, 0, 1, 0], 0x06_24: [UInt8](repeating: 0, count: 36),
        0x06_3E: [
            0, 32, 32, 3, 0, 8, 16, 0, 1, 0, 1, 1, 2, 4, 8, 0, 0, 0, 1, 1, 6, 8, 14, 0, 1, 0, 1, 1,
        ],
        0x06_23: [2, 0] + [UInt8](repeating: 0, count: 38),
    ]
    var rates: [UInt16: UInt8] = [0x0107: 0, 0xF000: 1, 0xF001: 1, 0xF002: 1, 0xF003: 1, 0xF004: 1, 0xF005: 1]
    /// The numbers of the others by command.
    var numbers: [String: [Int]] = [
        "PMTK220": [1000], "PMTK314": [1, 1, 1, 1, 1, 5, 0, 0], "PMTK869": [0], "PAIR050": [1000], "PAIR080": [0],
        "PAIR066": [1, 1, 1, 1, 1, 0], "PAIR490": [0], "PAIR062,1": [1], "PAIR062,3": [1], "PAIR062,5": [1],
        "PCAS": [1000], "1303": [1000], "venus": [1],
    ]
    /// The commands that it refuses.
    var refused: Set<Int> = []
    /// A Boolean value indicating whether it acknowledges everything and changes nothing.
    var lies = false
    /// A Boolean value indicating whether it answers nothing.
    var isSilent = false
    /// The number of answers, and the number of those that are lost in between, or 0 for none.
    var (answers, losesEach) = (0, 0)
    /// The software of a receiver of u-blox.
    var firmware = "SPG 5.10"
    /// The unique identifier of a receiver of u-blox; empty for none.
    var identifier: [UInt8] = [1, 2, 3, 4, 5]
    /// The parts of the navigation database, and their number as the receiver states it, or `nil` for the true one.
    var database: [[UInt8]] = []
    var statedCount: Int?
    /// The parts that it was given back.
    private(set) var given: [[UInt8]] = []
    private(set) var received: [ReceiverMessage] = []
    private var scanner = MessageScanner()

    init(_ personality: Personality) { self.personality = personality }

    /// Returns the answers to bytes.
    func answer(_ bytes: [UInt8]) -> [[UInt8]] {
        let messages = scanner.messages(in: bytes.span.bytes)
        received += messages
        if isSilent { return [] }
        return messages.flatMap(answers).filter { _ in
            answers += 1
            return losesEach == 0 || answers % losesEach != 0
        }
    }

    private func answers(to message: ReceiverMessage) -> [[UInt8]] {
        switch (personality, message) {
        case (.m8, .ubx(let kind, let payload)), (.m10, .ubx(let kind, let payload)): ubx(kind, payload)
        case (.mt3333, .sentence(let fields)): mediaTek(fields).map(\.frame)
        case (.ag3335, .sentence(let fields)): airoha(fields).map(\.frame)
        case (.at6558, _): casic(message).map(\.frame)
        case (.teseo, .sentence(["PSTMDUMPEPHEMS"])): database
        case (.teseo, .sentence(let fields)) where fields[0] == "PSTMEPHEM": receive(message.frame)
        case (.teseo, .sentence(let fields)): teseo(fields).map(\.frame)
        case (.venus, .skytraq(let payload)): skytraq(payload).map(\.frame)
        default: []
        }
    }

    private func ubx(_ kind: UInt16, _ payload: [UInt8]) -> [[UInt8]] {
        func verdict(_ isAccepted: Bool) -> [UInt8] {
            ReceiverMessage.ubx(isAccepted ? 0x05_01 : 0x05_00, kind.bigEndianBytes).frame
        }
        if kind == 0x0A_04 { return [versions.frame] }
        if refused.contains(Int(kind)) { return [verdict(false)] }
        return switch kind {
        case 0x06_8B where personality == .m10:
            values(payload.dropFirst(4).chunks(of: 4).map(\.littleEndianNumber)).map {
                [ReceiverMessage.ubx(kind, [1, 0, 0, 0] + $0).frame, verdict(true)]
            } ?? [verdict(false)]
        case 0x06_8A where personality == .m10: [verdict(set(payload))]
        case 0x06_01 where personality == .m8:
            if payload.count == 2 {
                [
                    ReceiverMessage.ubx(kind, payload + [0, rates[payload.key] ?? 0, 0, 0, 0, 0]).frame, verdict(true),
                ]
            } else {
                [verdict(set(payload.key, payload[2]))]
            }
        case 0x27_03:
            identifier.isEmpty ? [verdict(false)] : [ReceiverMessage.ubx(kind, [1, 0, 0, 0] + identifier).frame]
        case 0x13_80 where payload.isEmpty:
            database + [acknowledgement(UInt32(statedCount ?? database.count).littleEndianBytes)]
        case 0x13_80: receive(ReceiverMessage.ubx(kind, payload).frame, [acknowledgement(Array(payload.prefix(4)))])
        case 0x06_08, 0x06_24, 0x06_3E, 0x06_23:
            if personality == .m10 {
                [verdict(false)]
            } else if payload.isEmpty {
                [ReceiverMessage.ubx(kind, payloads[kind]!).frame, verdict(true)]
            } else {
                [verdict(set(kind, payload))]
            }
        default: []
        }
    }

    /// UBX-MGA-ACK-DATA0 about a part of the database.
    private func acknowledgement(_ bytes: [UInt8]) -> [UInt8] {
        ReceiverMessage.ubx(0x13_60, [1, 0, 0, 0x80] + bytes).frame
    }

    private var acknowledges: Bool { personality == .m8 ? payloads[0x06_23]![17] == 1 : keys[0x1011_0025] == 1 }

    private func receive(_ part: [UInt8], _ answers: [[UInt8]] = []) -> [[UInt8]] {
        given.append(part)
        return acknowledges ? answers : []
    }

    /// UBX-MON-VER.
    var versions: ReceiverMessage {
        let version = personality == .m8 ? "PROTVER=18.00" : "PROTVER=34.10"
        let texts = ["FWVER=\(firmware)", version, "MOD=MAX"].flatMap { Array($0.utf8).padded(to: 30) }
        return .ubx(0x0A_04, Array("EXT".utf8).padded(to: 40) + texts)
    }

    private func values(_ wanted: [Int]) -> [UInt8]? {
        guard wanted.allSatisfy({ keys[$0] != nil }) else { return nil }
        return wanted.flatMap { key in
            UInt32(key).littleEndianBytes + keys[key]!.littleEndianBytes.prefix(Self.length(key))
        }
    }

    private static func length(_ key: Int) -> Int { [3: 2, 4: 4][key >> 28 & 7] ?? 1 }

    private func set(_ payload: [UInt8]) -> Bool {
        var (rest, new) = (payload.dropFirst(4), keys)
        guard payload[1] == 1 else { return false }  // RAM only
        while rest.count > 4 {
            let key = rest.prefix(4).littleEndianNumber
            guard new[key] != nil else { return false }
            new[key] = rest.dropFirst(4).prefix(Self.length(key)).littleEndianNumber
            rest = rest.dropFirst(4 + Self.length(key))
        }
        // GPS and QZSS: both or neither.
        guard new[0x1031_001F] == new[0x1031_0024] else { return false }
        if !lies { keys = new }
        return true
    }

    private func set(_ key: UInt16, _ rate: UInt8) -> Bool {
        if !lies { rates[key] = rate }
        return true
    }

    private func set(_ kind: UInt16, _ payload: [UInt8]) -> Bool {
        if lies { return true }
        // CFG-NAV5 and CFG-NAVX5 have masks, of which one bit is of interest.
        switch kind {
        case 0x06_24: payloads[kind]![2] = payload[2]
        case 0x06_23:
            if payload[3] & 0x40 != 0 { payloads[kind]![27] = payload[27] }
            if payload[3] & 0x04 != 0 { payloads[kind]![17] = payload[17] }
        default: payloads[kind] = payload
        }
        return true
    }

    private func set(_ key: String, _ value: [Int]) { if !lies { numbers[key] = value } }

    private func mediaTek(_ fields: [String]) -> [ReceiverMessage] {
        guard let command = Int(fields[0].dropFirst(4)) else { return [] }
        let values = fields.dropFirst().compactMap { Int($0) }
        if refused.contains(command) { return [.sentence("PMTK001", [command, 2])] }
        switch command {
        case 605: return [.sentence(["PMTK705", "AXN_5.1.7", "0001", "MT3333", "1.0"])]
        case 400: return [.sentence("PMTK500", numbers["PMTK220"]! + [0, 0]), .sentence("PMTK001", [400, 3])]
        case 414: return [.sentence("PMTK514", numbers["PMTK314"]!)]
        case 869 where values.first == 0: return [.sentence("PMTK869", [2] + numbers["PMTK869"]! + [0])]
        case 869: set("PMTK869", Array(values.dropFirst()))
        case 220, 314: set(fields[0], values)
        default: return []
        }
        return [.sentence("PMTK001", [command, 3])]
    }

    private func airoha(_ fields: [String]) -> [ReceiverMessage] {
        guard let command = Int(fields[0].dropFirst(4)) else { return [] }
        let values = fields.dropFirst().compactMap { Int($0) }
        if refused.contains(command) { return [.sentence("PAIR001", [command, 3])] }
        let accepted = ReceiverMessage.sentence("PAIR001", [command, 0])
        switch command {
        case 20: return [.sentence(["PAIR020", "AG3335M_V2.5.0", "S"])]
        case 51, 67, 81:
            return [accepted, .sentence(fields[0], numbers["PAIR0\(command - 1)"]!)]
        case 491: return [accepted, .sentence(fields[0], numbers["PAIR490"]! + [0])]
        case 63: return [accepted, .sentence(fields[0], [values[0]] + numbers["PAIR062,\(values[0])"]!)]
        case 62: set("PAIR062,\(values[0])", Array(values.dropFirst()))
        case 50, 66, 80, 490: set(fields[0], values)
        default: break
        }
        return [.sentence("PAIR001", [command, 1]), accepted]
    }

    private func casic(_ message: ReceiverMessage) -> [ReceiverMessage] {
        switch message {
        case .sentence(["PCAS06", "0"]): return [.sentence(["GPTXT", "01", "01", "02", "SW=URANUS5", "V5.3.0.0"])]
        case .casic(0x06_04, []):
            return [
                .casic(0x06_04, UInt16(numbers["PCAS"]![0]).littleEndianBytes + [0, 0]), .casic(0x05_01, [6, 4, 0, 0]),
            ]
        case .casic(0x06_04, let payload):
            if refused.contains(0x06_04) { return [.casic(0x05_00, [6, 4, 0, 0])] }
            set("PCAS", [payload.prefix(2).littleEndianNumber])
            return [.casic(0x05_01, [6, 4, 0, 0])]
        default: return []
        }
    }

    private func teseo(_ fields: [String]) -> [ReceiverMessage] {
        switch fields[0] {
        case "PSTMGETSWVER": return [.sentence(["PSTMVER", "GNSSLIB_8.4.12.12_ARM"])]
        case "PSTMGETPAR": return [.sentence(["PSTMSET", "1303", "\(Double(numbers["1303"]![0]) / 1000)"])]
        case "PSTMSETPAR":
            if refused.contains(0) { return [.sentence(["PSTMSETPARERROR"])] }
            set("1303", [Int(Double(fields[2])! * 1000)])
            return [.sentence(["PSTMSETPAROK", "1303"])]
        default: return []
        }
    }

    private func skytraq(_ payload: [UInt8]) -> [ReceiverMessage] {
        let accepted = ReceiverMessage.skytraq([0x83, payload[0]])
        switch payload[0] {
        case 0x02: return [accepted, .skytraq([0x80, 1, 0, 1, 7, 15, 0, 1, 1, 1, 0, 8, 3, 4])]
        case 0x10: return [accepted, .skytraq([0x86, UInt8(numbers["venus"]![0])])]
        case 0x0E:
            if refused.contains(0x0E) { return [.skytraq([0x84, 0x0E])] }
            if payload[2] == 0 { set("venus", [Int(payload[1])]) }
            return [accepted]
        default: return [.skytraq([0x84, payload[0]])]
        }
    }

    /// The time between two fixes that the receiver has now, in milliseconds.
    var interval: Int {
        get {
            switch personality {
            case .m8: payloads[0x06_08]!.prefix(2).littleEndianNumber
            case .m10: keys[0x3021_0001]!
            case .mt3333: numbers["PMTK220"]![0]
            case .ag3335: numbers["PAIR050"]![0]
            case .at6558: numbers["PCAS"]![0]
            case .teseo: numbers["1303"]![0]
            case .venus: 1000 / numbers["venus"]![0]
            }
        }
        set {
            switch personality {
            case .m8: payloads[0x06_08]!.replaceSubrange(0..<2, with: UInt16(newValue).littleEndianBytes)
            case .m10: keys[0x3021_0001] = newValue
            case .mt3333: numbers["PMTK220"] = [newValue]
            case .ag3335: numbers["PAIR050"] = [newValue]
            case .at6558: numbers["PCAS"] = [newValue]
            case .teseo: numbers["1303"] = [newValue]
            case .venus: numbers["venus"] = [1000 / newValue]
            }
        }
    }

    /// Forgets all values, as after a loss of power.
    func losePower() {
        let new = EmulatedReceiver(personality)
        (keys, payloads, rates, numbers) = (new.keys, new.payloads, new.rates, new.numbers)
    }

    /// The sentence that it sends when it has started, as its maker's receivers do, or `nil` if that is not known.
    var startText: [UInt8]? {
        let fields: [String]? =
            switch personality {
            case .m8, .m10: ["GNTXT", "01", "01", "02", "u-blox AG - www.u-blox.com"]
            case .mt3333: ["PMTK010", "001"]
            case .ag3335: ["PAIR010", "1"]
            case .at6558: ["GPTXT", "01", "01", "02", "SW=URANUS5", "V5.3.0.0"]
            case .teseo: ["GPTXT", "(C)2000-2018 ST Microelectronics"]
            case .venus: nil
            }
        return fields.map { ReceiverMessage.sentence($0).frame }
    }

    /// The command that sets the interval.
    var intervalCommand: Int {
        switch personality {
        case .m8: 0x06_08
        case .m10: 0x06_8A
        case .mt3333: 220
        case .ag3335: 50
        case .at6558: 0x06_04
        case .teseo: 0
        case .venus: 0x0E
        }
    }
}

extension [UInt8] {
    fileprivate func padded(to count: Int) -> [UInt8] { self + [UInt8](repeating: 0, count: count - self.count) }

    fileprivate var key: UInt16 { UInt16(self[0]) << 8 | UInt16(self[1]) }
}

extension ArraySlice<UInt8> {
    fileprivate func chunks(of count: Int) -> [ArraySlice<UInt8>] {
        stride(from: startIndex, to: endIndex, by: count).map { self[$0..<$0 + count] }
    }
}
