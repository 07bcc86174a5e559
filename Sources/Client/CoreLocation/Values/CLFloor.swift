import Foundation

/// A floor of a building.
open class CLFloor: NSObject, NSCopying, NSSecureCoding {
    private let storedLevel: Int

    /// Creates a value for the ground floor.
    public override init() {
        storedLevel = 0
        super.init()
    }

    /// The number of the floor: 0 for the ground floor, negative below ground.
    open var level: Int { storedLevel }

    /// A description of the form `CLFloor (level:0)`.
    open override var description: String { "CLFloor (level:\(level))" }

    /// Returns the object itself, which is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// A Boolean value indicating whether the class supports secure coding. Always `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Decodes a floor. If the archive does not contain one, it is the ground floor.
    public required init?(coder: NSCoder) {
        storedLevel = ArchivedValues(coder).integer(for: "level") ?? 0
        super.init()
    }

    /// Encodes the level.
    open func encode(with coder: NSCoder) {
        ArchivedValues(coder).encode(level, for: "level")
    }
}
