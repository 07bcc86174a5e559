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

    /// Returns the next argument if it is a dictionary with at most `maximumCount` entries. `body` reads the value of
    /// an entry and returns what is kept for its key; if it returns `nil`, nothing more can be read.
    ///
    /// - Parameter contents: The types of key and value, such as `sv`.
    /// - Parameter key: Reads a key, of type `u`, `s` or `o`.
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

    /// Returns the objects of an object manager: D-Bus specification, "org.freedesktop.DBus.ObjectManager". `body`
    /// chooses the properties that an object keeps.
    ///
    /// - Parameters:
    ///   - maximumCount: The maximum number of objects.
    ///   - body: Reads the value of a property, a variant, into the object, or returns `false` to skip it.
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
