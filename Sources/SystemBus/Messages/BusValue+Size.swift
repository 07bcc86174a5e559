extension BusValue {
    /// The size of the value in a message, in bytes, rounded up: D-Bus specification, "Marshaling".
    var size: Int {
        switch self {
        case .boolean, .uint32, .double: 8
        case .time: 24
        case .string(let text), .objectPath(let text), .unread(let text): 12 + text.utf8.count
        case .variant(let value): 8 + value.size
        case .properties(let properties):
            properties.reduce(16) { $0 + 28 + $1.name.utf8.count + $1.value.size }
        case .strings(let texts): texts.reduce(8) { $0 + 12 + $1.utf8.count }
        }
    }
}
