/// The interference that a receiver has noticed at its antenna.
public struct Jamming: Sendable, Equatable {
    /// The judgement of a receiver's interference monitor.
    public enum Level: Sendable, Equatable, CaseIterable {
        /// No significant interference.
        case none
        /// Interference, and a fix nevertheless.
        case warning
        /// Interference, and no fix.
        case critical

        /// Creates a level from u-blox's number of the state, or returns `nil` if the monitor is switched off in the
        /// receiver or does not know yet.
        init?(state: UInt8) {
            switch state {
            case 1: self = .none
            case 2: self = .warning
            case 3: self = .critical
            default: return nil
            }
        }
    }

    /// The judgement of the interference monitor, or `nil` if it is switched off in the receiver or does not know yet.
    public var level: Level?
    /// The strength of a continuous wave beside the satellites' signals, from 0 (none) to 255 (strong), or `nil` if the
    /// receiver has not reported it.
    public var indicator: UInt8?

    /// Creates a report of interference.
    public init(level: Level?, indicator: UInt8?) {
        self.level = level
        self.indicator = indicator
    }
}
