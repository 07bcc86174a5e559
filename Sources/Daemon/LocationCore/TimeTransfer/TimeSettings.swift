/// The settings of the time that the service passes on to chrony.
public struct TimeSettings: Sendable, Hashable {
    /// The path of the socket that chronyd creates for the samples of epochs: `refclock SOCK` in chrony.conf(5).
    public var chronySocket: String
    /// The PPS device of the receiver, such as `/dev/pps0`, or `nil` if there is none.
    public var pulseDevice: String?
    /// The path of the socket that chronyd creates for the samples of pulses, or `nil` if the pulses only serve to
    /// measure the delay of the epochs.
    public var pulseSocket: String?

    /// Creates settings.
    public init(chronySocket: String, pulseDevice: String? = nil, pulseSocket: String? = nil) {
        self.chronySocket = chronySocket
        self.pulseDevice = pulseDevice
        self.pulseSocket = pulseSocket
    }
}
