/// A value on the bus, of a type that the project's interfaces use.
package enum BusValue: Equatable, Sendable {
    case boolean(Bool)
    case byte(UInt8)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(String)
    /// Seconds and microseconds since 1970.
    case time(seconds: UInt64, microseconds: UInt64)
    /// A value in a variant.
    indirect case variant(BusValue)
    /// Properties by their names.
    case properties([PropertyValue])
    /// Names.
    case strings([String])
    /// Texts by their names.
    case texts([String: String])
    /// The properties of an object by their interfaces.
    case interfaces([String: [PropertyValue]])
    /// Values of several types.
    case structure([BusValue])
    /// Values of one type, given by its signature.
    case array(of: String, [BusValue])
    /// A received value of another type. Its content is not read.
    case unread(signature: String)

    /// The signature of the type, as the D-Bus specification writes it.
    package var signature: String {
        switch self {
        case .boolean: "b"
        case .byte: "y"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .time: "(tt)"
        case .variant: "v"
        case .properties: "a{sv}"
        case .strings: "as"
        case .texts: "a{ss}"
        case .interfaces: "a{sa{sv}}"
        case .structure(let values): "(" + values.map(\.signature).joined() + ")"
        case .array(let type, _): "a" + type
        case .unread(let signature): signature
        }
    }
}

/// A property with its value.
package struct PropertyValue: Equatable, Sendable {
    package let name: String
    package let value: BusValue

    package init(_ name: String, _ value: BusValue) {
        self.name = name
        self.value = value
    }
}
