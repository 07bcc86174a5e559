internal import Bytewise

extension JSONWriter {
    /// Writes any encodable value, with its fields in the order it encodes them.
    ///
    /// A number that is not finite becomes `null`.
    ///
    /// - Throws: An error of the value's own `encode(to:)`, or `EncodingError` for an integer beyond `Int64`, which
    ///   Varlink's `int` cannot hold.
    public mutating func value(encoding value: some Encodable) throws {
        let node = EncodedNode()
        try node.encode(value, path: [])
        write(node)
    }

    private mutating func write(_ node: EncodedNode) {
        switch node.content {
        case .scalar(let value): self.value(value)
        case .array(let elements):
            beginArray()
            for element in elements { write(element) }
            endArray()
        case .object(let members):
            beginObject()
            for (key, member) in members {
                self.key(key)
                write(member)
            }
            endObject()
        }
    }
}

/// A node of the document that is being encoded. Containers may fill it in any order.
private final class EncodedNode {
    enum Content {
        case scalar(JSONValue)
        case array([EncodedNode])
        case object([(key: String, node: EncodedNode)])
    }

    var content = Content.scalar(.null)

    func becomeObject() {
        if case .object = content { return }
        content = .object([])
    }

    func becomeArray() {
        if case .array = content { return }
        content = .array([])
    }

    func member(_ key: String) -> EncodedNode {
        guard case .object(var members) = content else { preconditionFailure("not an object") }
        if let existing = members.first(where: { $0.key == key }) { return existing.node }
        content = .scalar(.null)  // Keeps the array uniquely referenced.
        let node = EncodedNode()
        members.append((key, node))
        content = .object(members)
        return node
    }

    func element() -> EncodedNode {
        guard case .array(var elements) = content else { preconditionFailure("not an array") }
        content = .scalar(.null)
        let node = EncodedNode()
        elements.append(node)
        content = .array(elements)
        return node
    }

    var count: Int {
        guard case .array(let elements) = content else { return 0 }
        return elements.count
    }

    func encode<T: Encodable>(_ value: T, path: [any CodingKey]) throws {
        switch value {
        case let value as String: content = .scalar(.string(value))
        case let value as Double: content = .scalar(.double(value))
        case let value as Bool: content = .scalar(.bool(value))
        case let value as Float: content = .scalar(.double(Double(value)))
        case let value as any FixedWidthInteger:
            guard let integer = Int64(exactly: value) else {
                throw EncodingError.invalidValue(
                    value, .init(codingPath: path, debugDescription: "an integer must fit in 64 bits, signed"))
            }
            content = .scalar(.int(integer))
        case let value as JSONValue: content = .scalar(value)
        default: try value.encode(to: NodeEncoder(node: self, codingPath: path))
        }
    }
}

private struct NodeEncoder: Encoder, SingleValueEncodingContainer {
    let node: EncodedNode
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.becomeObject()
        return KeyedEncodingContainer(KeyedNode<Key>(node: node, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.becomeArray()
        return UnkeyedNode(node: node, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() { node.content = .scalar(.null) }
    func encode<T: Encodable>(_ value: T) throws { try node.encode(value, path: codingPath) }
}

private struct KeyedNode<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: EncodedNode
    let codingPath: [any CodingKey]

    func encodeNil(forKey key: Key) { node.member(key.stringValue).content = .scalar(.null) }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        try node.member(key.stringValue).encode(value, path: codingPath + [key])
    }

    private func encoder(_ key: any CodingKey) -> NodeEncoder {
        NodeEncoder(node: node.member(key.stringValue), codingPath: codingPath + [key])
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        encoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder(PathKey("super")) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }
}

private struct UnkeyedNode: UnkeyedEncodingContainer {
    let node: EncodedNode
    let codingPath: [any CodingKey]
    var count: Int { node.count }

    private func encoder() -> NodeEncoder {
        let path = codingPath + [PathKey(count)]
        return NodeEncoder(node: node.element(), codingPath: path)
    }

    func encodeNil() { _ = node.element() }
    func encode<T: Encodable>(_ value: T) throws { try encoder().encode(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        encoder().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder() }
}
