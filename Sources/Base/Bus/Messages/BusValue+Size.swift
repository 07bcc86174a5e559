extension BusValue {
    /// The size of the value in a message, in bytes, rounded up: D-Bus specification, "Marshaling".
    var size: Int {
        switch self {
        case .boolean, .byte, .uint16, .int32, .uint32, .uint64, .double: 8
        case .time: 24
        case .string(let text), .objectPath(let text), .unread(let text): 12 + text.utf8.count
        case .variant(let value): 8 + value.size
        case .properties(let properties):
            properties.reduce(16) { $0 + 28 + $1.name.utf8.count + $1.value.size }
        case .strings(let texts): texts.reduce(8) { $0 + 12 + $1.utf8.count }
        case .texts(let texts): texts.reduce(16) { $0 + 28 + $1.key.utf8.count + $1.value.utf8.count }
        case .interfaces(let interfaces):
            interfaces.reduce(16) { $0 + 28 + $1.key.utf8.count + BusValue.properties($1.value).size }
        case .structure(let values), .array(_, let values): values.reduce(8) { $0 + $1.size }
        }
    }
}
