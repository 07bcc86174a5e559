internal import NIOCore

/// UBX. From protocol 23.1 on, values have keys (UBX-CFG-VALSET); before, messages of their own.
struct UBloxDialect: ReceiverDialect {
    /// The last protocol version without keys.
    private static let lastWithMessages = 23.1
    /// The first protocol version with the long form of UBX-RXM-PMREQ, and the first one that ignores the short form.
    private static let firstWithLongRequest = 18.0
    private static let firstWithLongRequestOnly = 34.0
    /// The first protocol version with UBX-NAV-PVT.
    static let firstWithPVT = 14.0
    /// The first protocol version with UBX-MGA.
    private static let firstWithAssistance = 15.0

    let name = ReceiverProfile.Dialect.ublox
    /// The end of the maker's address in a TXT sentence, or in UBX-INF-NOTICE.
    let startText = "u-blox.com"
    let version: Double
    /// A Boolean value indicating whether the port is the receiver's own USB.
    let isUSB: Bool
    /// A Boolean value indicating whether the receiver is one for high precision, which keeps its database.
    var isForSurveying = false

    var usesKeys: Bool { version > Self.lastWithMessages }

    func exchanges(for wanted: WantedSetting) -> [Exchange] {
        usesKeys ? keyExchanges(for: wanted) : messageExchanges(for: wanted)
    }

    /// CFG-RATE has 16 bits. Faster rates than 10 fixes per second are not for programs.
    func nearestInterval(to milliseconds: Int) -> Int { max(100, min(65_535, milliseconds)) }

    func verdict(in message: ReceiverMessage) -> Verdict? {
        guard case .ubx(let kind, let payload) = message, kind >> 8 == 0x05, kind & 0xFF <= 1, payload.count == 2
        else { return nil }
        return Verdict(command: Int(payload[0]) << 8 | Int(payload[1]), isAccepted: kind == 0x05_01)
    }

    // MARK: Standby

    /// USB keeps the receiver awake, so its engine is stopped instead (UBX-CFG-RST, resetMode 8). An M10 acknowledges
    /// the short request without effect, and some stay awake unless the duration is limited, to 12 days at most.
    var standby: [Standby] {
        if isUSB { return [Self.engineStop] }
        if version >= Self.firstWithLongRequestOnly {
            return [Self.request(milliseconds: 0), Self.request(milliseconds: 1_036_800_000)]
        }
        return version >= Self.firstWithLongRequest
            ? [Self.request(milliseconds: 0), Self.shortRequest] : [Self.shortRequest, Self.engineStop]
    }

    var start: [UInt8]? {
        standby.contains(Self.engineStop) ? ReceiverMessage.ubx(0x06_04, [0, 0, 9, 0]).frame : nil
    }

    private static let engineStop = Standby(.ubx(0x06_04, [0, 0, 8, 0]), silences: false)
    /// Duration 0: until it is woken. Flag 2: backup.
    private static let shortRequest = Standby(.ubx(0x02_41, [0, 0, 0, 0, 2, 0, 0, 0]))

    /// Flags 6: backup and force. Source 8 of waking: the UART's RXD.
    private static func request(milliseconds: UInt32) -> Standby {
        Standby(.ubx(0x02_41, [0, 0, 0, 0] + milliseconds.littleEndianBytes + [6, 0, 0, 0, 8, 0, 0, 0]))
    }

    // MARK: First fix

    /// UBX-MGA-INI-TIME_UTC, or UBX-AID-INI before protocol 15: flag 1 time, 10 UTC as year and month, day to second.
    func help(time: FirstFixHelp.Time) -> ReceiverMessage? {
        let fields = time.fields
        guard version >= Self.firstWithAssistance else { return aid(time: fields, accuracy: time.accuracy) }
        let year = UInt16(clamping: fields[0]).littleEndianBytes
        let monthToSecond = fields[1...].map { UInt8(clamping: $0) }
        let accuracy = UInt16(clamping: time.accuracy).littleEndianBytes
        var payload: [UInt8] = [0x10, 0, 0, 0x80]
        for part in [year, monthToSecond, Self.zeros(5), accuracy, Self.zeros(6)] { payload += part }
        return .ubx(0x13_40, payload)
    }

    /// UBX-MGA-INI-POS_LLH, or UBX-AID-INI with flag 0 position, 5 as latitude, longitude and height.
    func help(position: FirstFixHelp.Position, time: FirstFixHelp.Time?) -> ReceiverMessage? {
        let place =
            [position.latitude, position.longitude].flatMap { Int32($0 * 1e7).littleEndianBytes }
            + Int32(clamping: position.altitude * 100).littleEndianBytes
            + UInt32(clamping: position.accuracy * 100).littleEndianBytes
        guard version < Self.firstWithAssistance else { return .ubx(0x13_40, [1, 0, 0, 0] + place) }
        return .ubx(0x0B_01, place + Self.zeros(28) + UInt32(0x21).littleEndianBytes)
    }

    /// The longest part of a database, in bytes. Up to 248 have been seen, of an M9.
    private static let longestPart = 260

    /// UBX-SEC-UNIQID: a version, 3 reserved bytes, 5 or 6 bytes. UBX-MGA-DBD, ended by a UBX-MGA-ACK-DATA0: type,
    /// version, information, identifier of the message, and in 4 bytes the number of parts. UBX-UPD-SOS, which keeps
    /// the database in flash, is never sent.
    var database: DatabaseCommands? {
        guard version >= Self.firstWithAssistance, !isForSurveying else { return nil }
        return DatabaseCommands(
            identityQuestion: .ubx(0x27_03, []),
            identifier: { message in
                guard case .ubx(0x27_03, let payload) = message, (9...10).contains(payload.count) else { return nil }
                return Array(payload[4...])
            }, question: .ubx(0x13_80, []),
            isPart: { message in
                guard case .ubx(0x13_80, let payload) = message else { return false }
                return (1...Self.longestPart).contains(payload.count)
            },
            count: { message in
                guard case .ubx(0x13_60, let payload) = message, payload.count == 8, payload[3] == 0x80 else {
                    return nil
                }
                return payload[4...].littleEndianNumber
            })
    }

    private func aid(time: [Int], accuracy: Int) -> ReceiverMessage {
        let month = UInt16(clamping: (time[0] - 2000) * 100 + time[1])
        let moment = UInt32(clamping: ((time[2] * 100 + time[3]) * 100 + time[4]) * 100 + time[5])
        return .ubx(
            0x0B_01,
            Self.zeros(18) + month.littleEndianBytes + moment.littleEndianBytes + Self.zeros(4)
                + UInt32(clamping: accuracy * 1000).littleEndianBytes + Self.zeros(12)
                + UInt32(0x402).littleEndianBytes)
    }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    // MARK: Identity

    /// Reads UBX-MON-VER: 30 bytes for the software, 10 for the hardware, then extensions of 30 bytes.
    static func identity(_ payload: [UInt8], isUSB: Bool) -> (ReceiverIdentity, any ReceiverDialect)? {
        guard payload.count >= 40 else { return nil }
        func text(_ range: Range<Int>) -> String {
            String(decoding: payload[range].prefix { $0 != 0 }, as: UTF8.self)
        }
        let software = text(0..<30)
        let extensions = stride(from: 40, through: payload.count - 30, by: 30).map { text($0..<$0 + 30) }
        func value(_ key: String) -> String? {
            extensions.first { $0.hasPrefix(key) }.map { String($0.dropFirst(key.count + 1)) }
        }
        // `PROTVER=34.10` or `PROTVER 18.00`. Before protocol 15, there is none: 6.02 of the software is 12, 7.03 is
        // 13.
        let protocolVersion = value("PROTVER")
        let version =
            protocolVersion.flatMap(Double.init)
            ?? software.split(separator: ".").first.flatMap { Double($0) }.map {
                $0 + 6
            }
        guard let version, version.isFinite else { return nil }
        let identity = ReceiverIdentity(
            .ublox, maker: "u-blox", model: value("MOD"), firmware: value("FWVER") ?? software,
            protocolVersion: protocolVersion)
        let isForSurveying = identity.firmware?.hasPrefix("HPG") == true
        return (identity, UBloxDialect(version: version, isUSB: isUSB, isForSurveying: isForSurveying))
    }

    static let models: [DynamicModel: Int] = [
        .portable: 0, .stationary: 2, .pedestrian: 3, .automotive: 4, .sea: 5, .airborne: 7, .wrist: 9, .bike: 10,
    ]

    /// Returns the constellations with QZSS if GPS is used: the receiver has to use both or neither (u-blox,
    /// "CFG-SIGNAL", from memory). Returns `nil` if QZSS is wanted without GPS.
    static func withQZSS(_ names: Set<String>) -> Set<String>? {
        if names.contains("gps") { return names.union(["qzss"]) }
        return names.contains("qzss") ? nil : names
    }

    static func modelText(_ value: [Int]) -> String {
        models.first { $0.value == value[0] }?.key.rawValue ?? "model \(value[0])"
    }
}
