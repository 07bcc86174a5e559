/// The answer of a receiver that was asked who it is. The texts are the receiver's own: printable ASCII, at most 64
/// characters.
public struct ReceiverIdentity: Sendable, Hashable {
    /// The protocol.
    public var dialect: ReceiverProfile.Dialect
    /// The maker of the chip.
    public var maker: String
    /// The module or chip, if it says so.
    public var model: String?
    /// The version of its software.
    public var firmware: String?
    /// The version of u-blox's protocol, such as `34.10`.
    public var protocolVersion: String?

    package init(
        _ dialect: ReceiverProfile.Dialect, maker: String, model: String? = nil, firmware: String? = nil,
        protocolVersion: String? = nil
    ) {
        self.dialect = dialect
        self.maker = maker
        (self.model, self.firmware) = (Self.printable(model), Self.printable(firmware))
        self.protocolVersion = Self.printable(protocolVersion)
    }

    /// Attack: a device that imitates a receiver writes escape sequences into the terminal of an administrator.
    private static func printable(_ text: String?) -> String? {
        guard let text else { return nil }
        let ascii = text.unicodeScalars.filter { (0x20...0x7E).contains($0.value) }.prefix(64)
        return ascii.isEmpty ? nil : String(String.UnicodeScalarView(ascii))
    }
}

/// The time from opening a receiver to its first fix.
public struct FirstFix: Sendable, Hashable {
    /// The greatest number of starts that are remembered.
    package static let capacity = 10

    /// The time, in seconds.
    public var seconds: Double
    /// A Boolean value indicating whether the receiver had got the time, its place or its database.
    public var isHelped: Bool

    package init(seconds: Double, isHelped: Bool) {
        (self.seconds, self.isHelped) = (seconds, isHelped)
    }
}

/// The outcome of one setting of a profile.
public struct ReceiverSetting: Sendable, Hashable {
    /// The setting.
    public enum Name: String, Sendable, Hashable, CaseIterable {
        case identity, time, position, database, model, constellations, predictions, acknowledgements, messages
        case interval, corrections, standby
    }

    /// The outcome.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// The receiver has the value: it was read back.
        case applied
        /// The receiver answered that it does not accept the value.
        case refused
        /// The receiver did not answer, so that the value is not known.
        case unanswered
        /// The receiver did not refuse the value, and does not have it.
        case ignored
        /// The receiver, its protocol or its line does not have the setting, or the value. Nothing was sent.
        case unsupported
        /// Sent; receivers do not answer it.
        case sent
    }

    /// The setting.
    public var name: Name
    /// The value at the opening of the port, as a text for people.
    public var before: String?
    /// The value of the profile.
    public var wanted: String?
    /// The value read last.
    public var now: String?
    /// The outcome.
    public var outcome: Outcome
}
