/// The state of a receiver that combines satellites with sensors of motion, to bridge their absence.
public enum DeadReckoning: Sendable, Equatable, CaseIterable {
    /// The sensors are not calibrated yet, so that positions come from satellites alone.
    case initializing
    /// Positions come from satellites and sensors.
    case active
    /// The sensors are not used for now, because of an error of a sensor, or the vehicle is on a ferry, for example.
    case suspended
    /// The sensors are not used until the receiver restarts.
    case disabled

    /// Creates a state from u-blox's number of the mode, or returns `nil` if it is not known.
    init?(mode: UInt8) {
        switch mode {
        case 0: self = .initializing
        case 1: self = .active
        case 2: self = .suspended
        case 3: self = .disabled
        default: return nil
        }
    }
}
