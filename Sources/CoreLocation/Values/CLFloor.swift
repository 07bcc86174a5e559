import Foundation

/// The floor of a building.
open class CLFloor: NSObject, NSCopying, NSSecureCoding {
    private let storedLevel: Int

    /// The ground floor.
    public override init() {
        storedLevel = 0
        super.init()
    }

    /// 0 on the ground, negative below.
    open var level: Int { storedLevel }

    /// As `CLFloor (level:0)`.
    open override var description: String { "CLFloor (level:\(level))" }

    /// The object itself: it does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// `true`.
    open class var supportsSecureCoding: Bool { true }

    /// `nil` if there is no floor in the archive.
    public required init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "level") else { return nil }
        storedLevel = coder.decodeInteger(forKey: "level")
        super.init()
    }

    /// Writes the level.
    open func encode(with coder: NSCoder) {
        coder.encode(level, forKey: "level")
    }
}
