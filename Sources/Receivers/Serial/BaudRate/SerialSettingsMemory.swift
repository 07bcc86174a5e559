/// Remembers how the line of each device was read last, so that it is tried first the next time.
///
/// Called on the receiver's event loop, which it must not keep waiting.
public protocol SerialSettingsMemory: AnyObject {
    /// The settings that were remembered for the device; `nil` when there are none.
    func settings(ofDevice device: String) -> SerialSettings?
    /// Remembers them, in the place of others. Called only when they have changed.
    func remember(_ settings: SerialSettings, ofDevice device: String)
}
