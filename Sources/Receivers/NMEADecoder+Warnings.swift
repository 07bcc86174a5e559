import LocationModel
import NMEA

extension NMEADecoder {
    /// The reasons to doubt its fixes that the receiver has reported last. A warning of interference is one, although
    /// the receiver has a fix: jamming comes before spoofing.
    var warnings: [LocationIntegrity.Reason] {
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
        guard isSpoofed || isJammed else { return [] }
        return (isSpoofed ? [.spoofing] : []) + (isJammed ? [.jamming] : [])
    }
}
