internal import NIOCore

/// The keys of UBX-CFG-VALSET and VALGET (u-blox M10 and F9 Interface Descriptions, "Configuration Interface").
extension UBloxDialect {
    private static let measurementInterval: UInt32 = 0x3021_0001
    private static let measurementsPerFix: UInt32 = 0x3021_0002
    private static let dynamicModel: UInt32 = 0x2011_0021
    private static let autonomousOrbits: UInt32 = 0x1023_0001
    private static let aidingAcknowledgements: UInt32 = 0x1011_0025
    /// The keys for UART1. Those for USB are greater by 2, and the output of NMEA 0183 has one of its own.
    private static let messages: [String: UInt32] = [
        "nav-pvt": 0x2091_0007, "nav-dop": 0x2091_0039, "nav-sat": 0x2091_0016, "gll": 0x2091_00CA,
        "gsv": 0x2091_00C5, "vtg": 0x2091_00B1, "nav-hpposllh": 0x2091_0034, "rxm-rtcm": 0x2091_0269,
    ]
    private static let constellations: [(name: String, key: UInt32)] = [
        ("gps", 0x1031_001F), ("sbas", 0x1031_0020), ("galileo", 0x1031_0021), ("beidou", 0x1031_0022),
        ("qzss", 0x1031_0024), ("glonass", 0x1031_0025),
    ]

    func keyExchanges(for wanted: WantedSetting) -> [Exchange] {
        switch wanted {
        case .interval(let milliseconds):
            guard nearestInterval(to: milliseconds) == milliseconds else { return [] }
            return [
                exchange(
                    .interval, keys: [Self.measurementInterval, Self.measurementsPerFix],
                    wanted: { $0[0] * $0[1] == milliseconds ? $0 : [milliseconds, 1] },
                    text: { WantedSetting.seconds($0[0] * $0[1]) })
            ]
        case .model(let model):
            return [
                exchange(
                    .model, keys: [Self.dynamicModel], wanted: { _ in Self.models[model].map { [$0] } },
                    text: Self.modelText)
            ]
        case .constellations(let names):
            guard let used = Self.withQZSS(names) else { return [] }
            // All at once: some exclude each other, and each change restarts the engine.
            return [
                exchange(
                    .constellations, keys: Self.constellations.map(\.key),
                    wanted: { _ in Self.constellations.map { used.contains($0.name) ? 1 : 0 } },
                    text: { WantedSetting.list(zip(Self.constellations, $0).filter { $0.1 == 1 }.map(\.0.name)) },
                    settlingTime: .seconds(1))
            ]
        case .ubx:
            let nmea: UInt32 = isUSB ? 0x1078_0002 : 0x1074_0002
            return [message("nav-pvt", 1), message("nav-dop", 1), message("nav-sat", 5)]
                + [exchange(.messages, part: "nmea", keys: [nmea], wanted: { _ in [0] })]
                + (isForSurveying ? [message("nav-hpposllh", 1)] : [])
        case .positionSentencesOnly: return ["gll", "gsv", "vtg"].map { message($0, 0) }
        case .predictions: return [exchange(.predictions, keys: [Self.autonomousOrbits], wanted: { _ in [1] })]
        case .acknowledgements:
            return [exchange(.acknowledgements, keys: [Self.aidingAcknowledgements], wanted: { _ in [1] })]
        case .correctionReports: return [message("rxm-rtcm", 1, of: .corrections)]
        }
    }

    private func message(_ name: String, _ epochs: Int, of setting: ReceiverSetting.Name = .messages) -> Exchange {
        exchange(
            setting, part: name, keys: [(Self.messages[name] ?? 0) + (isUSB ? 2 : 0)], wanted: { _ in [epochs] })
    }

    private func exchange(
        _ name: ReceiverSetting.Name, part: String = "", keys: [UInt32], wanted: @escaping ([Int]) -> [Int]?,
        text: (([Int]) -> String)? = nil, settlingTime: TimeAmount = .zero
    ) -> Exchange {
        Exchange(
            name, part: part,
            // Version 0, layer 0: RAM, position 0.
            read: .ubx(0x06_8B, [0, 0, 0, 0] + keys.flatMap(\.littleEndianBytes)), 0x06_8B,
            value: { Self.values(of: keys, in: $0) }, wanted: wanted,
            write: { values in
                // Version 0, layers 1: RAM only.
                .ubx(
                    0x06_8A,
                    zip(keys, values).reduce([0, 1, 0, 0]) { frame, entry in
                        let length = Self.length(entry.0)
                        return frame + entry.0.littleEndianBytes + entry.1.littleEndianBytes.prefix(length)
                    })
            }, 0x06_8A, text: text, settlingTime: settlingTime)
    }

    /// Returns the length of a key's value, in bytes, up to 4: bits 28 to 30 of the key.
    private static func length(_ key: UInt32) -> Int {
        switch key >> 28 & 7 {
        case 3: 2
        case 4: 4
        default: 1
        }
    }

    /// Returns the values of exactly these keys in their order: pairs in UBX-CFG-VALGET, version 1, after 4 bytes.
    private static func values(of keys: [UInt32], in message: ReceiverMessage) -> [Int]? {
        guard case .ubx(0x06_8B, let payload) = message, payload.count > 4, payload[0] == 1 else { return nil }
        var (values, rest) = ([Int](), payload.dropFirst(4))
        for key in keys {
            let length = Self.length(key)
            guard rest.count >= 4 + length, rest.prefix(4).littleEndianNumber == Int(key) else { return nil }
            values.append(rest.dropFirst(4).prefix(length).littleEndianNumber)
            rest = rest.dropFirst(4 + length)
        }
        return rest.isEmpty ? values : nil
    }
}
