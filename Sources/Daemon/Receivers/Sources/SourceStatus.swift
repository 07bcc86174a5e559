public import LocationModel
public import NMEA
public import ReceiverSettings

/// The state of a receiver's source, for users who look after receivers.
public struct SourceStatus: Sendable {
    /// The reason why there is a location or none, as far as the source knows it.
    public var diagnosis = ReceiverDiagnosis()
    /// The satellites in view, as last reported.
    public var satellites: [Satellite] = []
    /// The serial settings in use, or `nil` without an open serial port or during baud-rate detection.
    public var serialSettings: SerialSettings?
    /// A Boolean value indicating whether baud-rate detection is in progress.
    public var isDetecting = false
    /// The device's answer to the question who it is, or `nil` if it was not asked or has not answered.
    public var identity: ReceiverIdentity?
    /// The outcomes of the settings in the device's profile.
    public var settings: [ReceiverSetting] = []
    /// The times to the first fix after the last ten starts, the latest last.
    public var firstFixes: [FirstFix] = []
    /// The share of a recording that has been played, 0...1, or `nil` if no recording plays.
    public var progress: Double?
    /// The charge of the device's battery in percent, or `nil` if the source is closed or the device does not report
    /// it.
    public var battery: Int?
    /// The last interference that the device has reported, or `nil` if the source is closed or the device has not
    /// reported any.
    public var jamming: Jamming?
    /// The device's last judgement about spoofing, or `nil` if the source is closed or the device has not reported any.
    public var spoofing: Spoofing?
    /// The last protection level of a position, or `nil` if the source is closed or the device guarantees none.
    public var protectionLevel: ProtectionLevel?
    /// The proofs of authentic signals that the device has reported last, or `nil` if there are none.
    public var authentication: Authentication?
    /// The state of the device's fusion with sensors, or `nil` if the source is closed or the device has not reported
    /// any.
    public var deadReckoning: DeadReckoning?
    /// The device's reports on the corrections that it has read, or `nil` if the source is closed or the device has not
    /// reported on any.
    public var correctionInput: CorrectionInput?
    /// The corrections that the device has got here, or `nil` if the source is closed or there were none.
    package var corrections: CorrectionFlow?
    /// Counts of data received and dropped since the receiver was created.
    public var statistics = ReceiverStatistics()
}

extension SourceStatus {
    /// Adds the receiver's own last reports about its signals, its position and its sensors.
    mutating func addReports(of decoder: borrowing NMEADecoder) {
        jamming = decoder.jamming
        spoofing = decoder.spoofing
        protectionLevel = decoder.protectionLevel
        authentication = decoder.authentication.isPositive ? decoder.authentication : nil
        deadReckoning = decoder.deadReckoning
        correctionInput = decoder.correctionInput
    }
}
