import Foundation

/// What a location comes from.
open class CLLocationSourceInformation: NSObject, NSCopying, NSSecureCoding {
    private let simulated: Bool
    private let accessory: Bool

    /// - Parameters:
    ///   - isSoftware: whether software made the location up.
    ///   - isAccessory: whether an accessory of the device told it.
    public init(softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool) {
        simulated = isSoftware
        accessory = isAccessory
        super.init()
    }

    /// A Boolean value indicating whether software made the location up.
    open var isSimulatedBySoftware: Bool { simulated }

    /// A Boolean value indicating whether an accessory of the device told it.
    open var isProducedByAccessory: Bool { accessory }

    /// Names both properties.
    open override var description: String {
        "CLLocationSourceInformation (simulated:\(isSimulatedBySoftware), accessory:\(isProducedByAccessory))"
    }

    /// The object itself: it does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// `true`.
    open class var supportsSecureCoding: Bool { true }

    /// `nil` if there is no such information in the archive.
    public required init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "simulated"), coder.containsValue(forKey: "accessory") else { return nil }
        simulated = coder.decodeBool(forKey: "simulated")
        accessory = coder.decodeBool(forKey: "accessory")
        super.init()
    }

    /// Writes both properties.
    open func encode(with coder: NSCoder) {
        coder.encode(isSimulatedBySoftware, forKey: "simulated")
        coder.encode(isProducedByAccessory, forKey: "accessory")
    }
}
