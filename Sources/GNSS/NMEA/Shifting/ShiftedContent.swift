/// The messages of a receiver with their positions and dates moved.
struct ShiftedContent {
    let isAnonymous: Bool
    let draw: (Double) -> PositionShift
    /// The shift, once a position has arrived.
    private(set) var shift: PositionShift?
    /// A Boolean value indicating whether the last message about this reported a fix.
    ///
    /// Attack: without a fix, receivers send the place and day that their firmware starts with, which are well known.
    /// So both are removed then rather than moved.
    private var hasFix = false
    /// A Boolean value indicating whether a sentence has had a checksum.
    private var hasChecksums = false

    init(isAnonymous: Bool, draw: @escaping (Double) -> PositionShift) {
        (self.isAnonymous, self.draw) = (isAnonymous, draw)
    }

    /// Returns the moved sentence, from its `$` to its end. Returns `nil` if the line is not a sentence, or its
    /// checksum is wrong.
    mutating func moved(sentence line: [UInt8]) -> [UInt8]? {
        guard var sentence = ShiftedSentence(line) else { return nil }
        if sentence.hasChecksum { hasChecksums = true }
        // Attack: a comma was lost on the wire, so that the position is in the place of the time.
        guard sentence.hasChecksum || !hasChecksums else { return nil }
        move(&sentence)
        return sentence.bytes
    }

    /// The formatters of sentences that pass, regardless of their talker.
    private static let formatters: Set = [
        "RMC", "GGA", "GNS", "GLL", "ZDA", "GSV", "HDG", "TXT", "GSA", "VTG", "GST", "GBS", "DTM", "HDT", "HDM", "THS",
        "ROT",
    ]

    private mutating func move(_ sentence: inout ShiftedSentence) {
        let address = sentence.text(0)
        let formatter = String(address.suffix(3))
        switch address.utf8.count == 5 && Self.formatters.contains(formatter) ? formatter : address {
        case "RMC":
            hasFix = sentence.text(2) == "A" && sentence.text(12) != "N"
            movePosition(&sentence, at: 3)
            moveDate(&sentence, at: 9)
            if isAnonymous { sentence.mask(10) }
        case "GGA":
            hasFix = !["", "0"].contains(sentence.text(6))
            movePosition(&sentence, at: 2)
            if isAnonymous { sentence.mask(11) }
            sentence.mask(14)
        case "GNS":
            hasFix = sentence.text(6).contains { $0 != "N" }
            movePosition(&sentence, at: 2)
            if isAnonymous { sentence.mask(10) }
            sentence.mask(12)
        case "GLL":
            hasFix = sentence.text(6) != "V" && sentence.text(7) != "N"
            movePosition(&sentence, at: 1)
        case "ZDA": moveZDA(&sentence)
        case "GSV":
            guard isAnonymous else { return }
            for field in stride(from: 5, to: sentence.count - 1, by: 4) { sentence.mask(field, field + 1) }
        case "HDG": if isAnonymous { sentence.mask(2, 4) }
        case "TXT": if isAnonymous { sentence.maskWordsWithDigits(4) }
        case "GSA", "VTG", "GST", "GBS", "DTM", "HDT", "HDM", "THS", "ROT": break
        case "PUBX": movePUBX(&sentence)
        case "PASHR" where sentence.text(1) == "POS":
            hasFix = !sentence.text(2).isEmpty
            movePosition(&sentence, at: 5)
        case "PASHR" where sentence.text(1).first?.isNumber == true: break
        case "PGRME", "PGRMZ", "PGRMM", "PMTK001", "PAIR001", "PAIRSPF", "PQTMPL": break
        default: sentence.maskAll()
        }
    }

    private mutating func movePUBX(_ sentence: inout ShiftedSentence) {
        switch sentence.text(1) {
        case "00":
            hasFix = ["G2", "G3", "D2", "D3", "RK", "DR"].contains(sentence.text(8))
            movePosition(&sentence, at: 3)
        case "03":
            guard isAnonymous else { return }
            for field in stride(from: 5, to: sentence.count - 1, by: 6) { sentence.mask(field, field + 1) }
        case "04":
            moveDate(&sentence, at: 3)
            let week = Int(sentence.text(5)).flatMap { week in shift.map { week - $0.weeks } }
            if hasFix, let week, week > 0 { sentence.setNumber(5, week) } else { sentence.mask(5) }
        default: sentence.maskAll()
        }
    }

    private mutating func movePosition(_ sentence: inout ShiftedSentence, at field: Int) {
        let degrees = sentence.latitude(field)
        guard sentence.hasChecksum || sentence.hasPosition(field) && sentence.mayBeTime(field == 1 ? 5 : 1) else {
            return sentence.maskAll()
        }
        if hasFix, shift == nil, let degrees { shift = draw(degrees) }
        guard hasFix, let shift, degrees != nil, sentence.move(field, by: shift) else {
            return sentence.maskPosition(field)
        }
    }

    private func moveDate(_ sentence: inout ShiftedSentence, at field: Int) {
        guard hasFix, let shift, let date = Int(sentence.text(field)), let days = Calendar.days(ddmmyy: date) else {
            return sentence.mask(field)
        }
        let (year, month, day) = Calendar.date(shift.moved(days))
        sentence.setNumber(field, day * 10_000 + month * 100 + year % 100)
    }

    private func moveZDA(_ sentence: inout ShiftedSentence) {
        guard hasFix, let shift, let day = Int(sentence.text(2)), let month = Int(sentence.text(3)),
            let year = Int(sentence.text(4)), let days = Calendar.days(year: year, month: month, day: day)
        else { return sentence.mask(2, 3, 4) }
        let date = Calendar.date(shift.moved(days))
        sentence.setNumber(2, date.day)
        sentence.setNumber(3, date.month)
        sentence.setNumber(4, date.year)
    }

    // MARK: Frames

    /// Returns the moved frame, which has a correct checksum and consists of these bytes.
    mutating func moved(_ frame: UBXFrame, in bytes: [UInt8]) -> [UInt8] {
        var moved = ShiftedFrame(bytes)
        move(&moved, UBXMessage(rawValue: frame.kind), frame)
        return moved.bytes
    }

    private mutating func move(_ frame: inout ShiftedFrame, _ message: UBXMessage?, _ sent: UBXFrame) {
        // MON-VER, ACK-ACK and ACK-NAK.
        if [0x0A04, 0x0501, 0x0500].contains(sent.kind) { return }
        guard let message, sent.length >= message.minimumLength else { return frame.clear(0..<sent.length) }
        switch message {
        case .navigationPosition:
            hasFix = (1...5).contains(frame[20]) && frame[21] & 1 != 0
            movePosition(&frame, longitude: 24, latitude: 28, height: 32)
            moveDate(&frame, at: 4)
            if !hasFix { frame[11] &= ~1 }
            if isAnonymous, sent.length >= 92 { frame.clear(88..<92) }
        case .geodeticPosition:
            let isVouched = frame.number(20, as: UInt32.self) <= 1_000_000
            let verdict = hasFix
            hasFix = isVouched && (verdict || shift == nil)
            movePosition(&frame, longitude: 4, latitude: 8, height: 12)
            hasFix = verdict
        case .precisePosition:
            let verdict = hasFix
            hasFix = verdict && shift != nil && frame[3] & 1 == 0
            movePosition(&frame, longitude: 8, latitude: 12, height: 16)
            if isAnonymous { frame[26] = frame[27] }
            if !hasFix { frame.clear(24..<26) }
            hasFix = verdict
        case .rtcmInput, .correctionInput:
            // Attack: the place of a reference station is public, and the receiver is near.
            frame.clear(0..<sent.length)
        case .status: hasFix = (1...5).contains(frame[4]) && frame[5] & 1 != 0
        case .solution:
            hasFix = (1...5).contains(frame[10]) && frame[11] & 1 != 0
            moveWeek(&frame, at: 8)
            frame.clear(12..<24)
            frame.clear(28..<40)
        case .gpsTime: moveWeek(&frame, at: 8)
        case .utc: moveDate(&frame, at: 12)
        case .channels: if isAnonymous { clearAngles(&frame, sent.length, 5..<8) }
        case .satellites: if isAnonymous { clearAngles(&frame, sent.length, 3..<6) }
        case .relativePosition: clearRelativePosition(&frame, sent.length)
        case .messageAuthentication:
            // The week, and the numbers of the satellites' data, which reveal the date.
            frame.clear(8..<16)
            for block in stride(from: 20, to: sent.length - 3, by: 4) {
                frame[block] = 0
                frame[block + 1] &= 0x80
            }
        case .dilutions, .velocity, .hardware, .radioFrequency, .signalSecurity, .protectionLevel, .fusionStatus: break
        }
    }

    /// Clears the vector of a NAV-RELPOSNED, and everything if the base does not move.
    ///
    /// Attack: the place of the base is public, as that of a reference station, and the vector leads from there to the
    /// receiver.
    private func clearRelativePosition(_ frame: inout ShiftedFrame, _ length: Int) {
        guard length == 64, frame[60] & 0x20 != 0 else { return frame.clear(0..<length) }
        frame.clear(2..<4)
        frame.clear(8..<20)
        frame.clear(32..<35)
    }

    private func clearAngles(_ frame: inout ShiftedFrame, _ length: Int, _ fields: Range<Int>) {
        for block in stride(from: 8, to: length - 11, by: 12) {
            frame.clear(block + fields.lowerBound..<block + fields.upperBound)
        }
    }

    private mutating func movePosition(_ frame: inout ShiftedFrame, longitude: Int, latitude: Int, height: Int) {
        let (x, y) = (Int64(frame.number(longitude, as: Int32.self)), Int64(frame.number(latitude, as: Int32.self)))
        if isAnonymous { frame.setNumber(height, frame.number(height + 4, as: Int32.self)) }
        guard hasFix, (x, y) != (0, 0) else { return frame.clear(longitude..<longitude + 8) }
        let shift = self.shift ?? draw(Double(y) / 1e7)
        self.shift = shift
        let movedLatitude = y + Int64(shift.latitude) * 5000
        guard abs(movedLatitude) <= 900_000_000 else { return frame.clear(longitude..<longitude + 8) }
        frame.setNumber(latitude, Int32(truncatingIfNeeded: movedLatitude))
        let turned = (x + Int64(shift.longitude) * 5000 + 5_400_000_000) % 3_600_000_000 - 1_800_000_000
        frame.setNumber(longitude, Int32(truncatingIfNeeded: turned))
    }

    private func moveDate(_ frame: inout ShiftedFrame, at offset: Int) {
        let (year, month, day) = (
            Int(frame.number(offset, as: UInt16.self)), Int(frame[offset + 2]), Int(frame[offset + 3])
        )
        guard hasFix, let shift, let days = Calendar.days(year: year, month: month, day: day) else {
            return frame.clear(offset..<offset + 4)
        }
        let date = Calendar.date(shift.moved(days))
        frame.setNumber(offset, UInt16(truncatingIfNeeded: date.year))
        (frame[offset + 2], frame[offset + 3]) = (UInt8(date.month), UInt8(date.day))
    }

    private func moveWeek(_ frame: inout ShiftedFrame, at offset: Int) {
        let week = Int(frame.number(offset, as: Int16.self))
        guard hasFix, let shift, week > shift.weeks else { return frame.clear(offset..<offset + 2) }
        frame.setNumber(offset, Int16(truncatingIfNeeded: week - shift.weeks))
    }
}
