internal import CUdev

enum UdevList {
    /// Returns the names in one of udev's lists, which begins with `first`.
    static func names(_ first: OpaquePointer?) -> [String] {
        sequence(first: first) { $0.flatMap(udev_list_entry_get_next) }.prefix { $0 != nil }
            .compactMap { udev_list_entry_get_name($0).map { String(cString: $0) } }
    }
}
