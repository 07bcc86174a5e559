import LocationModel
import NMEA

extension FixDoubts {
    /// Creates doubts from a receiver's last reports, or returns `nil` if these give no reason for doubt. A warning of
    /// interference does, even while the receiver has a fix: jamming comes before spoofing.
    init?(_ spoofing: Spoofing?, _ jamming: Jamming?) {
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
        guard isSpoofed || isJammed else { return nil }
        self.init((isSpoofed ? [.spoofing] : []) + (isJammed ? [.jamming] : []))
    }
}
