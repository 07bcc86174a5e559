/// What stands after `--receiver`, without the speed.
struct ReceiverSource: Equatable {
    /// `serial`, `usb`, `gpsd` and so on.
    let kind: String
    let value: String

    init(_ specification: String) {
        let parts = specification.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        kind = String(parts[0])
        let rest = parts.count > 1 ? parts[1] : ""
        // Digits behind the last @ are a speed; an @ alone says that none of those before it is one.
        if ["serial", "usb"].contains(kind), let at = rest.lastIndex(of: "@"),
            rest[rest.index(after: at)...].allSatisfy({ $0.isASCII && $0.isNumber })
        {
            value = String(rest[..<at])
        } else {
            value = String(rest)
        }
    }
}
