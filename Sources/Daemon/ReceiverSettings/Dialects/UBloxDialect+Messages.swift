internal import NIOCore

/// The configuration messages of u-blox 5 to 8 (u-blox M8 Receiver Description, "UBX-CFG").
extension UBloxDialect {
    private static let constellations = ["gps", "sbas", "galileo", "beidou", "", "qzss", "glonass"]

    func messageExchanges(for wanted: WantedSetting) -> [Exchange] {
        switch wanted {
        case .interval(let milliseconds):
            guard nearestInterval(to: milliseconds) == milliseconds else { return [] }
            return [
                exchange(
                    .interval, 0x06_08,
                    value: { rate in rate.count == 6 ? [0, 2, 4].map { rate[$0..<$0 + 2].littleEndianNumber } : nil },
                    wanted: { $0[0] * $0[1] == milliseconds ? $0 : [milliseconds, 1, $0[2]] },
                    payload: { $0.flatMap { UInt16(clamping: $0).littleEndianBytes } },
                    text: { WantedSetting.seconds($0[0] * $0[1]) })
            ]
        case .model(let model):
            // 36 bytes: a mask of the fields to apply, with bit 0 for the model, then the model.
            return [
                exchange(
                    .model, 0x06_24, value: { $0.count == 36 ? [Int($0[2])] : nil },
                    wanted: { _ in Self.models[model].map { [$0] } },
                    payload: { [1, 0, UInt8(clamping: $0[0])] + [UInt8](repeating: 0, count: 33) },
                    text: Self.modelText)
            ]
        case .constellations(let names):
            guard let used = Self.withQZSS(names) else { return [] }
            // 4 bytes, then 8 for each system: gnssId, channels, flags with bit 0 for use.
            return [
                exchange(
                    .constellations, 0x06_3E,
                    value: { $0.count >= 12 && $0.count % 8 == 4 ? $0.map(Int.init) : nil },
                    wanted: { Self.configuration($0, wanting: names, using: used) },
                    payload: { $0.map { UInt8(clamping: $0) } },
                    text: { value in WantedSetting.list(Self.systems(value).filter(\.isUsed).map(\.name)) },
                    settlingTime: .seconds(1))
            ]
        case .ubx:
            guard version >= Self.firstWithPVT else { return [] }
            let frames = [message(0x01_07, "nav-pvt", 1), message(0x01_04, "nav-dop", 1)]
            let precise = isForSurveying ? [message(0x01_14, "nav-hpposllh", 1)] : []
            let sentences = ["gga", "gll", "gsa", "gsv", "rmc", "vtg"].enumerated().map {
                message(0xF0_00 | UInt16($0.offset), $0.element, 0)
            }
            return (version >= 15 ? frames + [message(0x01_35, "nav-sat", 5)] : frames) + sentences + precise
        case .positionSentencesOnly:
            return [message(0xF0_01, "gll", 0), message(0xF0_03, "gsv", 0), message(0xF0_05, "vtg", 0)]
        case .predictions: return [expert(.predictions, byte: 27, other: 17, mask: [0, 0x40])]
        case .acknowledgements: return [expert(.acknowledgements, byte: 17, other: 27, mask: [0, 0x04])]
        case .correctionReports: return [message(0x02_32, "rxm-rtcm", 1, of: .corrections)]
        }
    }

    /// Returns the exchange about a switch in UBX-CFG-NAVX5, of 40 bytes and more: version, masks of the fields to
    /// apply, and the fields, with bit 14 of the mask for byte 27, AssistNow Autonomous, and bit 10 for byte 17,
    /// acknowledgements (by pyubx2's tables, not a manual). The value is the payload without the other switch, which
    /// has an exchange of its own.
    private func expert(_ name: ReceiverSetting.Name, byte: Int, other: Int, mask: [UInt8]) -> Exchange {
        exchange(
            name, 0x06_23,
            value: { payload in
                guard payload.count >= 40 else { return nil }
                return payload.map(Int.init).with([0, 0, 0, 0, 0, 0], at: 2).with([0], at: other)
            },
            wanted: { $0.with([$0[byte] | 1], at: byte) },
            payload: { $0.map { UInt8(clamping: $0) }.with(mask, at: 2) },
            text: { $0[byte] & 1 == 0 ? "off" : "on" })
    }

    /// Returns the exchange about how often a message is sent at the current port. The answer to the question has the
    /// rates of all ports: I2C, UART1, UART2, USB, SPI.
    private func message(
        _ kind: UInt16, _ name: String, _ epochs: Int, of setting: ReceiverSetting.Name = .messages
    ) -> Exchange {
        let port = isUSB ? 5 : 3
        return exchange(
            setting, part: name, 0x06_01, question: kind.bigEndianBytes,
            value: { $0.count == 8 && Array($0.prefix(2)) == kind.bigEndianBytes ? [Int($0[port])] : nil },
            wanted: { _ in [epochs] }, payload: { kind.bigEndianBytes + [UInt8(clamping: $0[0])] })
    }

    private func exchange(
        _ name: ReceiverSetting.Name, part: String = "", _ kind: UInt16, question: [UInt8] = [],
        value: @escaping ([UInt8]) -> [Int]?, wanted: @escaping ([Int]) -> [Int]?,
        payload: @escaping ([Int]) -> [UInt8], text: (([Int]) -> String)? = nil, settlingTime: TimeAmount = .zero
    ) -> Exchange {
        Exchange(
            name, part: part, read: .ubx(kind, question), Int(kind),
            value: { if case .ubx(kind, let answer) = $0 { value(answer) } else { nil } }, wanted: wanted,
            write: { .ubx(kind, payload($0)) }, Int(kind), text: text, settlingTime: settlingTime)
    }

    private static func systems(_ value: [Int]) -> [(name: String, flags: Int, isUsed: Bool)] {
        stride(from: 4, to: value.count, by: 8).map { start in
            let name = value[start] < constellations.count ? constellations[value[start]] : ""
            return (name, start + 4, !name.isEmpty && value[start + 4] & 1 == 1)
        }
    }

    /// Returns the configuration that uses these systems, or `nil` if the receiver lacks one of the wanted ones.
    private static func configuration(
        _ value: [Int], wanting wanted: Set<String>, using names: Set<String>
    ) -> [Int]? {
        let systems = systems(value)
        guard wanted.isSubset(of: systems.map(\.name)) else { return nil }
        return systems.reduce(value) { value, system in
            let flags = value[system.flags] & ~1
            return value.with([names.contains(system.name) ? flags | 1 : flags], at: system.flags)
        }
    }
}

extension Array {
    /// Returns the array with these elements in the place of those at `index` and after it.
    fileprivate func with(_ elements: [Element], at index: Int) -> [Element] {
        var copy = self
        copy.replaceSubrange(index..<index + elements.count, with: elements)
        return copy
    }
}
