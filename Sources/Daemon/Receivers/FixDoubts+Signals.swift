import LocationModel
import NMEA

extension FixDoubts {
    /// Creates it from what a receiver has reported last, or returns `nil` if that is no reason for doubt. A warning of
    /// interference is one, although the receiver has a fix: jamming comes before spoofing.
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
