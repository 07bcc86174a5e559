/// A store for the last serial settings of each device, so that they are tried first the next time.
///
/// Called on the receiver's event loop, which it must not block.
public protocol SerialSettingsMemory: AnyObject {
    /// Returns the settings stored for the device, or `nil` if there are none.
    func settings(ofDevice device: String) -> SerialSettings?
    /// Stores settings, replacing any others. Called only if they have changed.
    func remember(_ settings: SerialSettings, ofDevice device: String)
}
