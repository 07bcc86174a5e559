/// A receiver's own reports on the corrections in RTCM 3 that it has read (UBX-RXM-RTCM, UBX-RXM-COR).
public struct CorrectionInput: Sendable, Equatable {
    /// The number of the reference station of the last measurements, 0...4095, or `nil` if there were none.
    public internal(set) var station: Int?
    /// A Boolean value indicating whether the position uses the last measurements, or `nil` if the receiver does not
    /// report it.
    public internal(set) var isUsed: Bool?
    /// The number of messages with a wrong CRC.
    public internal(set) var faulty: UInt64 = 0
}
