// PMTK001, PAIR001: the answers to commands.

extension NMEADecoder {
    /// Reads PMTK001: command, 0 invalid, 1 unsupported, 2 failed, 3 succeeded (MediaTek, "PMTK command packet").
    mutating func readMediaTekAcknowledgement(_ s: Sentence, _ bytes: RawSpan) -> Reading {
        guard let command = s.integer(1, bytes) else { return .nothing }
        let outcome: Acknowledgement.Outcome
        switch s.letter(2, bytes) {
        case UInt8(ascii: "0"): outcome = .invalid
        case UInt8(ascii: "1"): outcome = .unsupported
        case UInt8(ascii: "2"): outcome = .failed
        case UInt8(ascii: "3"): outcome = .succeeded
        default: return .nothing
        }
        return .acknowledgement(Acknowledgement(command: command, outcome: outcome))
    }

    /// Reads PAIR001: command, 0 succeeded, 1 pending, 2 failed, 3 unsupported, 4 wrong parameter, 5 busy (Airoha,
    /// Quectel LC76G protocol specification).
    mutating func readAirohaAcknowledgement(_ s: Sentence, _ bytes: RawSpan) -> Reading {
        guard let command = s.integer(1, bytes) else { return .nothing }
        let outcome: Acknowledgement.Outcome
        switch s.letter(2, bytes) {
        case UInt8(ascii: "0"): outcome = .succeeded
        case UInt8(ascii: "1"): outcome = .pending
        case UInt8(ascii: "2"), UInt8(ascii: "5"): outcome = .failed
        case UInt8(ascii: "3"): outcome = .unsupported
        case UInt8(ascii: "4"): outcome = .invalid
        default: return .nothing
        }
        return .acknowledgement(Acknowledgement(command: command, outcome: outcome))
    }
}
