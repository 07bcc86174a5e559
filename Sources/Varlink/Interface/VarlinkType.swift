/// A type of Varlink's interface definition language.
public indirect enum VarlinkType: Sendable, Hashable {
    /// `bool`
    case bool
    /// `int`: 64 bits, signed
    case int
    /// `float`: IEEE 754 double
    case float
    /// `string`
    case string
    /// `object`: any JSON object
    case object
    /// `any`: any JSON value
    case any
    /// A type that the interface defines under this name.
    case named(String)
    /// `[]T`
    case array(VarlinkType)
    /// `[string]T`
    case map(VarlinkType)
    /// `?T`: absent and `null` are the same.
    case optional(VarlinkType)
    /// `(name: T, …)`
    case structure([Field])
    /// `(one, two)`: a string that is one of these
    case enumeration([String])

    /// A field of a struct.
    public struct Field: Sendable, Hashable {
        /// Unique in its struct.
        public var name: String
        /// What its value must be.
        public var type: VarlinkType
        /// The comment above it, `#` and one space removed; lines are separated by newlines. Empty without one.
        public var documentation: String

        /// A field of that name and type.
        public init(name: String, type: VarlinkType, documentation: String = "") {
            self.name = name
            self.type = type
            self.documentation = documentation
        }
    }
}
