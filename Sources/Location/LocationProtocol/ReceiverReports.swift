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

/// The corrections that a receiver gets, and its use of them.
public struct CorrectionsReport: Codable, Sendable, Equatable {
    /// A solution from the carrier phase.
    public enum Solution: String, Codable, Sendable, CaseIterable {
        /// With the ambiguities resolved to integers.
        case rtkFixed
        /// With the ambiguities not yet resolved.
        case rtkFloat
    }

    /// The number of the reference station, or `nil` if no message has named it.
    public var station: Int?
    /// The distance from the station's antenna to the last fix, in metres, rounded to 100, or `nil` if either place is
    /// not known.
    public var distance: Double?
    /// The time since the last message, in seconds, or `nil` if the messages do not come from the daemon.
    public var age: Double?
    /// The number of messages a second, over ten seconds, or `nil` if it is not known yet.
    public var rate: Double?
    /// The number of messages that may not reach a receiver.
    public var refused: Int?
    /// The number of messages that newer ones have replaced, because the line is too slow.
    public var outdated: Int?
    /// The number of messages whose checksum was wrong at the receiver, or `nil` if it does not report it.
    public var faulty: Int?
    /// A Boolean value indicating whether the position uses the station's last measurements, or `nil` if the receiver
    /// does not report it.
    public var used: Bool?
    /// The solution of the last fix, or `nil` if it is not one from the carrier phase.
    public var solution: Solution?

    /// Creates a report without known values.
    public init() {}
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
