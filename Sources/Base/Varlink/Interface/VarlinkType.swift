/// A type of Varlink's interface definition language.
public indirect enum VarlinkType: Sendable, Hashable {
    /// `bool`: true or false.
    case bool
    /// `int`: a signed 64-bit integer.
    case int
    /// `float`: an IEEE 754 double.
    case float
    /// `string`: a string.
    case string
    /// `object`: any JSON object.
    case object
    /// `any`: any JSON value.
    case any
    /// A type that the interface defines under this name.
    case named(String)
    /// `[]T`: an array.
    case array(VarlinkType)
    /// `[string]T`: a map with strings as keys.
    case map(VarlinkType)
    /// `?T`: an optional value. Absent and `null` are equivalent.
    case optional(VarlinkType)
    /// `(name: T, …)`: a struct.
    case structure([Field])
    /// `(one, two)`: an enumeration, whose value is one of these strings.
    case enumeration([String])

    /// A field of a struct.
    public struct Field: Sendable, Hashable {
        /// The field's name, unique within its struct.
        public var name: String
        /// The type of the field's value.
        public var type: VarlinkType
        /// The comment above the field, without each line's `#` and one space. Lines are separated by newlines. Empty
        /// if there is no comment.
        public var documentation: String

        /// Creates a field.
        public init(name: String, type: VarlinkType, documentation: String = "") {
            self.name = name
            self.type = type
            self.documentation = documentation
        }
    }
}
