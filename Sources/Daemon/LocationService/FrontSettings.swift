public import GPSDFront

/// The settings of the fronts that serve programs made for other location services. Changes take effect at the next
/// start.
public struct FrontSettings: Sendable {
    /// The sockets that the service opens for clients of gpsd, or `nil` if it opens none.
    public var gpsd: GPSDSettings?
    /// A Boolean value indicating whether the service acquires GeoClue's name on the system bus.
    public var geoclue: Bool
    /// The socket for corrections, or `nil` if the service accepts none.
    public var corrections: CorrectionsSettings?

    /// Creates settings.
    public init(gpsd: GPSDSettings? = nil, geoclue: Bool = false, corrections: CorrectionsSettings? = nil) {
        self.gpsd = gpsd
        self.geoclue = geoclue
        self.corrections = corrections
    }
}
