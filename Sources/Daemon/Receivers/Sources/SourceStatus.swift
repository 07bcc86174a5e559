public import LocationModel
public import NMEA

/// The state of a receiver's source, for those who look after receivers.
public struct SourceStatus: Sendable {
    /// The reason why there is a location or none, as far as the source knows it.
    public var diagnosis = ReceiverDiagnosis()
    /// The satellites in view, as last reported.
    public var satellites: [Satellite] = []
    /// The serial settings in use, or `nil` without an open serial port or during baud-rate detection.
    public var serialSettings: SerialSettings?
    /// A Boolean value indicating whether baud-rate detection is in progress.
    public var isDetecting = false
    /// The share of a recording that has been played, 0...1, or `nil` without a recording that plays.
    public var progress: Double?
    /// The charge of the device's battery in percent, or `nil` if the source is closed or the device does not say.
    public var battery: Int?
    /// The interference that the device has reported last, or `nil` if the source is closed or the device has not
    /// reported any kind of it.
    public var jamming: Jamming?
    /// The last judgement of the device about spoofing, or `nil` if the source is closed or the device has not reported
    /// anything about it.
    public var spoofing: Spoofing?
    /// Counts of what was received and dropped since the receiver was created.
    public var statistics = ReceiverStatistics()
}
