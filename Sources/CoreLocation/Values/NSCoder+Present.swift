import Foundation

extension NSCoder {
    /// Returns the object for `key`, or `nil` if there is none. On its own, `decodeObject(of:forKey:)` treats a
    /// missing object as an error, which ends the program unless the app has set another failure policy.
    func object<Object: NSObject & NSCoding>(of type: Object.Type, forKey key: String) -> Object? {
        containsValue(forKey: key) ? decodeObject(of: type, forKey: key) : nil
    }
}
