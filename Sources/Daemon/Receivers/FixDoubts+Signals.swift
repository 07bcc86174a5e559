import LocationModel
import NMEA

extension FixDoubts {
    /// Creates doubts from a receiver's last reports and from its corrections, or returns `nil` if these give no reason
    /// for doubt. A warning of interference does, even while the receiver has a fix: jamming comes before spoofing.
    init?(_ spoofing: Spoofing?, _ jamming: Jamming?, hasSuspiciousCorrections: Bool = false) {
        let isSpoofed =
            switch spoofing {
            case .indicated, .affirmed: true
            case Spoofing.none?, nil: false
            }
        let isJammed =
            switch jamming?.level {
            case .warning, .critical: true
            case Jamming.Level.none?, nil: false
            }
        guard isSpoofed || isJammed || hasSuspiciousCorrections else { return nil }
        var reasons: [Reason] = isSpoofed ? [.spoofing] : []
        if isJammed { reasons.append(.jamming) }
        if hasSuspiciousCorrections { reasons.append(.corrections) }
        self.init(reasons)
    }
}
