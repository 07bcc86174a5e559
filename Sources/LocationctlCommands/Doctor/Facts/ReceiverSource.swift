/// The source in a receiver specification, as after `--receiver`, without the speed.
struct ReceiverSource: Equatable {
    /// The kind of source: `serial`, `usb`, `gpsd` and so on.
    let kind: String
    let value: String

    init(_ specification: String) {
        let parts = specification.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        kind = String(parts[0])
        let rest = parts.count > 1 ? parts[1] : ""
        // Digits after the last @ are a speed. An @ at the very end means that no digits before it are a speed.
        if ["serial", "usb"].contains(kind), let at = rest.lastIndex(of: "@"),
            rest[rest.index(after: at)...].allSatisfy({ $0.isASCII && $0.isNumber })
        {
            value = String(rest[..<at])
        } else {
            value = String(rest)
        }
    }
}
