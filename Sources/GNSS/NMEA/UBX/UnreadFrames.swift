/// The kinds of frames that the decoder does not read, each with the number of frames.
struct UnreadFrames {
    private struct Entry {
        var kind: UInt16 = 0
        var count: UInt64 = 0
    }

    /// The first kinds that arrived. Frames of other kinds are counted, but not named.
    private var entries = InlineArray<8, Entry>(repeating: Entry())

    mutating func add(_ kind: UInt16) {
        for index in entries.indices {
            if entries[index].count == 0 { entries[index].kind = kind }
            if entries[index].kind == kind {
                entries[index].count &+= 1
                return
            }
        }
    }

    /// The names of the kinds with their counts, in the order of their first arrival.
    var named: [(name: String, count: UInt64)] {
        entries.indices.filter { entries[$0].count > 0 }.map { (Self.name(entries[$0].kind), entries[$0].count) }
    }

    /// Returns u-blox's name of a kind, such as `NAV-CLOCK`, or its class and number, such as `NAV-0x99` or
    /// `0x42-0x01`.
    static func name(_ kind: UInt16) -> String {
        if let name = names.first(where: { $0.0 == kind })?.1 { return name }
        let group = classes.first { $0.0 == kind >> 8 }?.1 ?? hexadecimal(kind >> 8)
        return "\(group)-\(hexadecimal(kind & 0xFF))"
    }

    private static func hexadecimal(_ byte: UInt16) -> String { "0x" + UInt8(truncatingIfNeeded: byte).twoDigits }

    /// The classes (u-blox 6 and M8 Receiver Descriptions, "UBX Class IDs").
    private static let classes: [(UInt16, String)] = [
        (0x01, "NAV"), (0x02, "RXM"), (0x04, "INF"), (0x05, "ACK"), (0x06, "CFG"), (0x09, "UPD"), (0x0A, "MON"),
        (0x0B, "AID"), (0x0D, "TIM"), (0x10, "ESF"), (0x13, "MGA"), (0x21, "LOG"), (0x27, "SEC"), (0x28, "HNR"),
    ]

    /// The messages that receivers are often configured to send.
    private static let names: [(UInt16, String)] = [
        (0x01_01, "NAV-POSECEF"), (0x01_02, "NAV-POSLLH"), (0x01_03, "NAV-STATUS"), (0x01_04, "NAV-DOP"),
        (0x01_05, "NAV-ATT"), (0x01_06, "NAV-SOL"), (0x01_07, "NAV-PVT"), (0x01_09, "NAV-ODO"),
        (0x01_11, "NAV-VELECEF"), (0x01_12, "NAV-VELNED"), (0x01_13, "NAV-HPPOSECEF"), (0x01_14, "NAV-HPPOSLLH"),
        (0x01_20, "NAV-TIMEGPS"), (0x01_21, "NAV-TIMEUTC"), (0x01_22, "NAV-CLOCK"), (0x01_26, "NAV-TIMELS"),
        (0x01_30, "NAV-SVINFO"), (0x01_32, "NAV-SBAS"), (0x01_35, "NAV-SAT"), (0x01_3B, "NAV-SVIN"),
        (0x01_3C, "NAV-RELPOSNED"), (0x01_43, "NAV-SIG"), (0x01_61, "NAV-EOE"), (0x01_62, "NAV-PL"),
        (0x02_10, "RXM-RAW"), (0x02_13, "RXM-SFRBX"), (0x02_15, "RXM-RAWX"), (0x02_32, "RXM-RTCM"),
        (0x02_34, "RXM-COR"), (0x05_00, "ACK-NAK"), (0x05_01, "ACK-ACK"),
        (0x0A_04, "MON-VER"), (0x0A_09, "MON-HW"), (0x0A_0B, "MON-HW2"), (0x0A_38, "MON-RF"), (0x0D_01, "TIM-TP"),
        (0x0D_03, "TIM-TM2"), (0x10_10, "ESF-STATUS"), (0x27_09, "SEC-SIG"), (0x27_0A, "SEC-OSNMA"),
    ]
}

extension NMEADecoder {
    /// The kinds of frames that were not read, with u-blox's names, such as `NAV-CLOCK`, and the number of frames of
    /// each kind, for at most the first eight kinds. The total is ``Counts/unreadFrames``.
    public var unreadFrames: [(name: String, count: UInt64)] { unread.named }

    /// The number of satellites in view as last reported by the receiver.
    public var satellitesInView: Int { sky.satelliteCount }
}
