import Foundation

extension NSCoder {
    /// The object of that key; `nil` if there is none. (`decodeObject(of:forKey:)` alone makes an error of that, which
    /// ends the program unless the app has asked for another policy.)
    func object<Object: NSObject & NSCoding>(of type: Object.Type, forKey key: String) -> Object? {
        containsValue(forKey: key) ? decodeObject(of: type, forKey: key) : nil
    }
}
