// UBX-RXM-RTCM and its successor UBX-RXM-COR: a receiver's reports on each message with corrections that it has read.
// ZED-F9P Interface Description, "RTCM input status" and "Differential correction input status"; pyubx2 reads the same
// fields.

extension NMEADecoder {
    /// Reads RXM-RTCM: the version (0), the flags (1: bit 0 is set for a wrong CRC; from version 2 on, bits 1 and 2 are
    /// the use), the station (4) and the number of the message (6).
    mutating func readRTCMInput(_ frame: UBXFrame, _ bytes: RawSpan) {
        let flags = frame.number(1, bytes, as: UInt8.self)
        let knowsUse = frame.number(0, bytes, as: UInt8.self) >= 2
        readCorrection(
            frame.number(6, bytes), station: frame.number(4, bytes), use: knowsUse ? flags &>> 1 & 3 : 0,
            isFaulty: flags & 1 != 0)
    }

    /// Reads RXM-COR, version 1 (0): the status (4), with the protocol in bits 0 to 4 (1 is RTCM 3), errors in bits 5
    /// and 6 (2: there are some), the use in bits 7 and 8, the station in bits 9 to 24, and in bit 25 whether there is
    /// the number of the message (8).
    mutating func readCorrectionInput(_ frame: UBXFrame, _ bytes: RawSpan) {
        let status = frame.number(4, bytes, as: UInt32.self)
        guard frame.number(0, bytes, as: UInt8.self) == 1, status & 31 == 1 else { return }
        readCorrection(
            status &>> 25 & 1 == 1 ? frame.number(8, bytes) : 0,
            station: UInt16(truncatingIfNeeded: status &>> 9), use: UInt8(truncatingIfNeeded: status &>> 7 & 3),
            isFaulty: status &>> 5 & 3 == 2)
    }

    /// Applies the report on a message. The use is 1 for no, 2 for yes.
    ///
    /// Measurements decide whether corrections are used: others are read only from time to time.
    private mutating func readCorrection(_ number: UInt16, station: UInt16, use: UInt8, isFaulty: Bool) {
        var input = correctionInput ?? CorrectionInput()
        switch number {
        case _ where isFaulty: input.faulty &+= 1
        // RTCM 10403.3, table 3.5-1: measurements of GPS and GLONASS, and MSM.
        case 1001...1004, 1009...1012, 1071...1137:
            input.station = station <= 4095 ? Int(station) : nil
            input.isUsed = use == 1 ? false : use == 2 ? true : nil
        default: break
        }
        correctionInput = input
    }
}
