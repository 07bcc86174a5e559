/// The sentence that ends a receiver's cycle, learned from its output.
///
/// Receivers differ (any of RMC, GGA, GLL, GSA, VTG, ZDA, GST, GBS may be last), and the same receiver changes when it
/// is configured. The end of a cycle is known only afterwards, by silence or by the next time stamp. When three cycles
/// have ended with the same sentence, it counts as the end. A sentence that arrives after it nevertheless refutes this,
/// and each refutation raises the required evidence.
struct CycleEnd {
    private var part = EpochPart.rmc
    private var occurrence: UInt8 = 0
    private var confidence = 0
    private var required = 3

    /// Returns whether the cycle ends with this sentence, which has just arrived for the `occurrence`th time in the
    /// cycle.
    @inline(__always)
    func isEnd(_ part: EpochPart, _ occurrence: UInt8) -> Bool {
        part == self.part && occurrence == self.occurrence && confidence >= required
    }

    /// Records that a cycle has ended with this sentence.
    mutating func observe(_ part: EpochPart, _ occurrence: UInt8) {
        if part == self.part, occurrence == self.occurrence {
            confirm()
        } else {
            confidence -= 2
            if confidence <= 0 {
                self.part = part
                self.occurrence = occurrence
                confidence = 1
            }
        }
    }

    /// Records that the cycle ended as expected.
    @inline(__always)
    mutating func confirm() {
        confidence = min(confidence + 1, required + 3)
    }

    /// Records that a sentence of the epoch arrived after the presumed end.
    mutating func refute() {
        confidence = 0
        required = min(required * 2, 48)
    }
}
