// PAIRSPF, PQTMPL: a module's report of interference, and its protection levels.

extension NMEADecoder {
    /// Reads PAIRSPF: 0 unknown, 1 no interference, 2 some, 3 critical (Airoha, Quectel LC76G protocol specification).
    mutating func readAirohaJamming(_ s: Sentence, _ bytes: RawSpan) -> Reading {
        guard let state = s.integer(1, bytes), state <= 3 else { return .nothing }
        applyJamming(state: UInt8(truncatingIfNeeded: state), indicator: nil)
        return .nothing
    }

    /// Reads PQTMPL: the version (1), the risk in percent for each epoch (3), and the protection levels to the north,
    /// to the east and down (6...8), in mm (Quectel LG290P protocol specification).
    mutating func readQuectelProtectionLevel(_ s: Sentence, _ bytes: RawSpan) -> Reading {
        guard s.integer(1, bytes) == 1 else { return .nothing }
        guard let north = s.decimal(6, bytes).scaled(), let east = s.decimal(7, bytes).scaled(),
            let down = s.decimal(8, bytes).scaled(), north > 0, east > 0
        else {
            protectionLevel = nil
            return .nothing
        }
        protectionLevel = ProtectionLevel(
            horizontal: ProtectionLevel.length(north, east) / 1000, vertical: down / 1000,
            risk: s.decimal(3, bytes).scaled(by: 1, over: 100))
        return .nothing
    }
}
