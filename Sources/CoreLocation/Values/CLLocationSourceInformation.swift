import Foundation

/// Information about the origin of a location.
open class CLLocationSourceInformation: NSObject, NSCopying, NSSecureCoding {
    private let simulated: Bool
    private let accessory: Bool

    /// Creates information about the origin of a location.
    ///
    /// - Parameters:
    ///   - isSoftware: A Boolean value indicating whether software simulated the location.
    ///   - isAccessory: A Boolean value indicating whether an accessory of the device produced the location.
    public init(softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool) {
        simulated = isSoftware
        accessory = isAccessory
        super.init()
    }

    /// A Boolean value indicating whether software simulated the location.
    open var isSimulatedBySoftware: Bool { simulated }

    /// A Boolean value indicating whether an accessory of the device produced the location.
    open var isProducedByAccessory: Bool { accessory }

    /// A description with both properties.
    open override var description: String {
        "CLLocationSourceInformation (simulated:\(isSimulatedBySoftware), accessory:\(isProducedByAccessory))"
    }

    /// Returns the object itself, which is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// A Boolean value indicating whether the class supports secure coding. Always `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Decodes source information, or returns `nil` if the archive does not contain it.
    public required init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "simulated"), coder.containsValue(forKey: "accessory") else { return nil }
        simulated = coder.decodeBool(forKey: "simulated")
        accessory = coder.decodeBool(forKey: "accessory")
        super.init()
    }

    /// Encodes both properties.
    open func encode(with coder: NSCoder) {
        coder.encode(isSimulatedBySoftware, forKey: "simulated")
        coder.encode(isProducedByAccessory, forKey: "accessory")
    }
}
