internal import CSystemd

extension BusMessage {
    /// The interface of an object manager: D-Bus specification, "org.freedesktop.DBus.ObjectManager".
    package static let objectManager = "org.freedesktop.DBus.ObjectManager"
    /// Its method that returns all objects with their properties.
    package static let getManagedObjects = "GetManagedObjects"

    /// Returns the next argument if it is a string of at most `maximumLength` bytes.
    package func readText(upTo maximumLength: Int) -> String? {
        var text: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(message, Character("s").code, &text) > 0, let text else { return nil }
        let bytes = UnsafeRawBufferPointer(start: text, count: strnlen(text, maximumLength + 1))
        return bytes.count <= maximumLength ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// Returns what `body` returns for each entry of the next argument, by its key, if it is a dictionary with at most
    /// `maximumCount` entries. `body` reads the value; nothing more can be read if it returns `nil`.
    ///
    /// - Parameter key: The type of the keys: `u`, `s` or `o`.
    package func readDictionary<Key: Hashable, Value>(
        of contents: String, upTo maximumCount: Int = maximumCount, key: () -> Key?, _ body: (Key) -> Value?
    ) -> [Key: Value]? {
        let pairs: [(Key, Value)]? = readArray(of: "{\(contents)}", upTo: maximumCount) {
            guard sd_bus_message_enter_container(message, Character("e").code, contents) > 0, let key = key(),
                let value = body(key), sd_bus_message_exit_container(message) >= 0
            else { return nil }
            return (key, value)
        }
        return pairs.map { Dictionary($0) { first, _ in first } }
    }

    /// Returns what the service of an object manager has, D-Bus specification "org.freedesktop.DBus.ObjectManager": the
    /// properties that `body` keeps of each object's interfaces.
    ///
    /// - Parameters:
    ///   - maximumCount: The maximum number of objects.
    ///   - body: Reads the value of a property, a variant, into the object, or returns `false` if it has no use for it.
    package func readObjects<Object>(
        upTo maximumCount: Int = maximumCount, _ makeObject: (_ path: String) -> Object,
        _ body: (_ object: inout Object, _ interface: String, _ property: String) -> Bool
    ) -> [Object]? {
        let objects: [String: Object]? = readDictionary(
            of: "oa{sa{sv}}", upTo: maximumCount, key: { readString("o") }
        ) { path in
            var object = makeObject(path)
            let interfaces: [String: Bool]? = readDictionary(of: "sa{sv}", key: { readString() }) { interface in
                readProperties { body(&object, interface, $0) }
                return true
            }
            return interfaces == nil ? nil : object
        }
        return objects.map { $0.sorted { $0.key < $1.key }.map(\.value) }
    }
}
