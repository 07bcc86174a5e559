import Foundation

/// Information about the origin of a location.
open class CLLocationSourceInformation: NSObject, NSCopying, NSSecureCoding {
    private let simulated: Bool
    private let accessory: Bool

    /// Creates information about a location that neither software nor an accessory produced.
    public override init() {
        (simulated, accessory) = (false, false)
        super.init()
    }

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

    /// Decodes source information. A property that the archive does not contain is `false`.
    public required init?(coder: NSCoder) {
        let archive = ArchivedValues(coder)
        simulated = archive.bool(for: "simulated") ?? false
        accessory = archive.bool(for: "accessory") ?? false
        super.init()
    }

    /// Encodes both properties.
    open func encode(with coder: NSCoder) {
        let archive = ArchivedValues(coder)
        archive.encode(isSimulatedBySoftware, for: "simulated")
        archive.encode(isProducedByAccessory, for: "accessory")
    }
}
