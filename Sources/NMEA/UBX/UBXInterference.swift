// UBX-MON-HW and its successor UBX-MON-RF: u-blox M8 Receiver Description, "Hardware Status"; ZED-F9P Interface
// Description, "RF information"; u-blox 6 Receiver Description for the longer MON-HW.

extension NMEADecoder {
    /// Reads MON-HW: flags (22) with the state of the interference monitor, and the jamming indicator (45; 53 in the
    /// longer payload of u-blox 6).
    mutating func readHardware(_ frame: UBXFrame, _ bytes: RawSpan) {
        jamming = Jamming(
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
        if let worst { jamming = Jamming(state: worst.state, indicator: worst.indicator) }
    }
}
