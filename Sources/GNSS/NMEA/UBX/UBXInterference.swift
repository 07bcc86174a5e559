// UBX-MON-HW, its successor UBX-MON-RF, UBX-SEC-SIG and the flags of UBX-NAV-STATUS: a receiver's reports of jamming
// and spoofing. u-blox M8 Receiver Description, "Hardware Status" and "Receiver Navigation Status"; ZED-F9P Interface
// Description, "RF information" and "Signal security information"; u-blox 6 Receiver Description for the longer MON-HW.

extension NMEADecoder {
    /// Reads MON-HW: flags (22) with the state of the interference monitor, and the jamming indicator (45; 53 in the
    /// longer payload of u-blox 6).
    mutating func readHardware(_ frame: UBXFrame, _ bytes: RawSpan) {
        applyJamming(
            state: frame.number(22, bytes, as: UInt8.self) &>> 2 & 3,
            indicator: frame.number(frame.length >= 68 ? 53 : 45, bytes))
    }

    /// Reads MON-RF: the number of blocks (1), and for each radio frequency path 24 bytes: the flags (1) with the state
    /// of the interference monitor, and the jamming indicator (16). The worst path counts.
    mutating func readRadioFrequency(_ frame: UBXFrame, _ bytes: RawSpan) {
        let count = min(Int(frame.number(1, bytes, as: UInt8.self)), (frame.length &- 4) / 24)
        var worst: (state: UInt8, indicator: UInt8)?
        for index in 0..<count {
            let block = 4 &+ 24 &* index
            let state = frame.number(block &+ 1, bytes, as: UInt8.self) & 3
            let indicator = frame.number(block &+ 16, bytes, as: UInt8.self)
            worst = (max(worst?.state ?? 0, state), max(worst?.indicator ?? 0, indicator))
        }
        if let worst { applyJamming(state: worst.state, indicator: worst.indicator) }
    }

    /// Reads SEC-SIG: the version (0). In version 1, the flags of jamming (4: bit 0 is set if the receiver looks for
    /// it, bits 1 and 2 are the state) and of spoofing (8, likewise); in version 2, both in one byte (1: bits 0 to 2,
    /// bits 3 to 5).
    mutating func readSignalSecurity(_ frame: UBXFrame, _ bytes: RawSpan) {
        let (jammed, spoofed): (UInt8, UInt8)
        switch frame.number(0, bytes, as: UInt8.self) {
        case 1 where frame.length >= 12: (jammed, spoofed) = (frame.number(4, bytes), frame.number(8, bytes))
        case 2:
            jammed = frame.number(1, bytes)
            spoofed = jammed &>> 3
        default: return
        }
        if jammed & 1 != 0 { applyJamming(state: jammed &>> 1 & 3, indicator: nil) }
        if spoofed & 1 != 0 { applySpoofing(state: spoofed &>> 1 & 3) }
    }

    /// Applies the report of MON-HW, MON-RF, SEC-SIG or PAIRSPF. If a receiver sends two of them, one does not know the
    /// level, and the other one has no indicator.
    mutating func applyJamming(state: UInt8, indicator: UInt8?) {
        jamming = Jamming(
            level: Jamming.Level(state: state) ?? jamming?.level, indicator: indicator ?? jamming?.indicator)
    }

    /// Applies the report of NAV-STATUS or SEC-SIG about spoofing, unless it says that nothing is known.
    mutating func applySpoofing(state: UInt8) {
        if let state = Spoofing(state: state) { spoofing = state }
    }
}
