import Foundation

/// The values of an object in an archive.
///
/// Their keys begin with the name of this library, because a subclass of the app archives its own values in the same
/// place. A subclass may also archive nothing else, so a missing value is not a failure: `nil` stands for its default.
struct ArchivedValues {
    private let coder: NSCoder

    init(_ coder: NSCoder) {
        self.coder = coder
    }

    private func key(_ name: String) -> String { "CoreLocation." + name }
}

// MARK: Reading

extension ArchivedValues {
    /// Returns the value that `decode` reads with a key, or `nil` if the archive does not contain the key. On its own,
    /// `decodeObject(of:forKey:)` treats a missing object as an error, which ends the program unless the app has set
    /// another failure policy.
    private func value<Value>(for name: String, _ decode: (_ key: String) -> Value?) -> Value? {
        coder.containsValue(forKey: key(name)) ? decode(key(name)) : nil
    }

    func double(for name: String) -> Double? { value(for: name) { coder.decodeDouble(forKey: $0) } }

    func integer(for name: String) -> Int? { value(for: name) { coder.decodeInteger(forKey: $0) } }

    func bool(for name: String) -> Bool? { value(for: name) { coder.decodeBool(forKey: $0) } }

    func date(for name: String) -> Date? {
        double(for: name).map { Date(timeIntervalSinceReferenceDate: $0) }
    }

    func string(for name: String) -> String? {
        object(for: name, of: NSString.self).map { $0 as String }
    }

    func object<Object: NSObject & NSCoding>(for name: String, of type: Object.Type) -> Object? {
        value(for: name) { coder.decodeObject(of: type, forKey: $0) }
    }

    /// Returns an object whose class, and the classes of the objects in it, are among `classes`.
    func object(for name: String, of classes: [AnyClass]) -> Any? {
        value(for: name) { coder.decodeObject(of: classes, forKey: $0) }
    }

    /// The coordinate. By default, it is latitude 0 and longitude 0, which is a valid place: an object with an accuracy
    /// must default to an invalid one.
    var coordinate: CLLocationCoordinate2D {
        CLLocationCoordinate2D(latitude: double(for: "latitude") ?? 0, longitude: double(for: "longitude") ?? 0)
    }

    /// The time of the values. By default, it is the reference date, 1 January 2001, and not the current time: an app
    /// must not mistake the values for new ones.
    var timestamp: Date { date(for: "timestamp") ?? Date(timeIntervalSinceReferenceDate: 0) }
}

// MARK: Writing

extension ArchivedValues {
    func encode(_ number: Double, for name: String) { coder.encode(number, forKey: key(name)) }

    func encode(_ number: Int, for name: String) { coder.encode(number, forKey: key(name)) }

    func encode(_ isTrue: Bool, for name: String) { coder.encode(isTrue, forKey: key(name)) }

    func encode(_ date: Date, for name: String) { encode(date.timeIntervalSinceReferenceDate, for: name) }

    func encode(_ text: String?, for name: String) { encode(text.map { $0 as NSString }, for: name) }

    func encode(_ object: NSObject?, for name: String) {
        if let object { coder.encode(object, forKey: key(name)) }
    }

    func encode(_ coordinate: CLLocationCoordinate2D) {
        encode(coordinate.latitude, for: "latitude")
        encode(coordinate.longitude, for: "longitude")
    }
}
