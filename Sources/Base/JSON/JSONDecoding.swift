internal import Bytewise

extension JSONValue {
    /// Returns a value of `type` decoded from this value.
    ///
    /// A number without a fraction decodes as an integer or as floating point, a number with a fraction as floating
    /// point only. A member that is `null` counts as absent for an optional.
    ///
    /// - Throws: `DecodingError`, whose coding path names the member, or an error of the type's own `init(from:)`.
    public func decoded<T: Decodable>(as type: T.Type = T.self) throws -> T {
        try decoded(as: type, path: [])
    }

    fileprivate func decoded<T: Decodable>(as type: T.Type, path: [any CodingKey]) throws -> T {
        if let scalar = try scalar(as: type, path: path) { return scalar }
        return try T(from: ValueDecoder(value: self, codingPath: path))
    }

    /// Returns the value as one of the types that every decoder supports directly, or `nil` if `T` is another type.
    private func scalar<T>(as type: T.Type, path: [any CodingKey]) throws -> T? {
        let result: Any?
        switch type {
        case is JSONValue.Type: result = self
        case is String.Type: result = string
        case is Bool.Type: if case .bool(let value) = self { result = value } else { result = nil }
        case is Double.Type: result = number
        case is Float.Type: result = number.map { Float($0) }
        case let type as any FixedWidthInteger.Type:
            if case .int(let value) = self { result = type.exactly(value) } else { result = nil }
        default: return nil
        }
        guard let result = result as? T else { throw mismatch(type, path) }
        return result
    }

    fileprivate func mismatch(_ type: any Any.Type, _ path: [any CodingKey]) -> DecodingError {
        .typeMismatch(type, .init(codingPath: path, debugDescription: "not a \(type)"))
    }
}

extension FixedWidthInteger {
    fileprivate static func exactly(_ value: Int64) -> Any? { Self(exactly: value) }
}

private struct ValueDecoder: Decoder, SingleValueDecodingContainer {
    let value: JSONValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value else { throw value.mismatch([String: JSONValue].self, codingPath) }
        return KeyedDecodingContainer(KeyedMembers<Key>(members: members, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw value.mismatch([JSONValue].self, codingPath) }
        return Elements(elements: elements, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { value == .null }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try value.decoded(as: type, path: codingPath) }
}

private struct KeyedMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [BytewiseString: JSONValue]
    let codingPath: [any CodingKey]
    var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0.text) } }

    func contains(_ key: Key) -> Bool { members[BytewiseString(key.stringValue)] != nil }

    private func member(_ key: any CodingKey) throws -> JSONValue {
        guard let member = members[BytewiseString(key.stringValue)] else {
            throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "missing"))
        }
        return member
    }

    private func decoder(_ key: any CodingKey) throws -> ValueDecoder {
        ValueDecoder(value: try member(key), codingPath: codingPath + [key])
    }

    func decodeNil(forKey key: Key) throws -> Bool { try member(key) == .null }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try decoder(key).decode(type) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try decoder(PathKey("super")) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

private struct Elements: UnkeyedDecodingContainer {
    let elements: [JSONValue]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    init(elements: [JSONValue], codingPath: [any CodingKey]) {
        self.elements = elements
        self.codingPath = codingPath
    }

    private func current(_ type: any Any.Type) throws -> ValueDecoder {
        let path = codingPath + [PathKey(currentIndex)]
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(type, .init(codingPath: path, debugDescription: "the array ends here"))
        }
        return ValueDecoder(value: elements[currentIndex], codingPath: path)
    }

    mutating func decodeNil() throws -> Bool {
        guard try current(JSONValue.self).decodeNil() else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let result = try current(type).decode(type)
        currentIndex += 1
        return result
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        let container = try current([String: JSONValue].self).container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try current([JSONValue].self).unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try current(JSONValue.self)
        currentIndex += 1
        return decoder
    }
}
