/// The limits of a position's error that a receiver guarantees, except for a small stated risk.
public struct ProtectionLevelReport: Codable, Sendable, Equatable {
    /// The limit of the horizontal error, in metres.
    public var horizontal: Double
    /// The limit of the vertical error, in metres.
    public var vertical: Double
    /// The probability, for each epoch, that an error exceeds its limit unnoticed, 0...1, or `nil` if it is not known.
    public var risk: Double?

    /// Creates a report.
    public init(horizontal: Double, vertical: Double, risk: Double? = nil) {
        self.horizontal = horizontal
        self.vertical = vertical
        self.risk = risk
    }
}

/// The proofs of a receiver that its signals are authentic.
public struct AuthenticationReport: Codable, Sendable, Equatable {
    /// The number of satellites with an authentic navigation message (Galileo OSNMA), or `nil` if the receiver does not
    /// report it.
    public var satellites: Int?
    /// A Boolean value indicating whether the receiver's time agrees with a trusted source.
    public var time: Bool
    /// A Boolean value indicating whether the position uses only authentic navigation messages.
    public var position: Bool

    /// Creates a report.
    public init(satellites: Int? = nil, time: Bool = false, position: Bool = false) {
        self.satellites = satellites
        self.time = time
        self.position = position
    }
}

/// The state of a receiver that combines satellites with sensors of motion.
public enum DeadReckoningReport: String, Codable, Sendable, CaseIterable {
    /// The sensors are not calibrated yet.
    case initializing
    /// Positions come from satellites and sensors.
    case active
    /// The sensors are not used for now.
    case suspended
    /// The sensors are not used until the receiver restarts.
    case disabled
}
