/// The owners of subordinate user IDs, subuid(5).
///
/// Attack: a user has 65,536 subordinate IDs, as adduser(8) assigns them for podman. If each had a user's share of
/// connections and lookups, they would use up everything. Only that user and root can run a process under these IDs
/// (newuidmap(1)). So all of them have the user's own share together.
///
/// The kernel names the owner of a process's user namespace (ioctl_ns(2)), which is not enough: a program that belongs
/// to a subordinate ID and has the set-user-ID bit can be started outside that namespace.
struct SubordinateUsers {
    private let ranges: [(ids: ClosedRange<UInt32>, owner: UInt32)]

    /// Parses the contents of `/etc/subuid`, and of `/etc/passwd` for the names in it. Skips malformed lines and
    /// root's: each ID that root gives to a container counts by itself.
    init(subuid: [UInt8], passwd: [UInt8]) {
        var owners = Self.uids(passwd)
        var ranges: [(ClosedRange<UInt32>, UInt32)] = []
        for fields in Self.lines(subuid) {
            guard fields.count == 3, let first = UInt32(fields[1]), let count = UInt32(fields[2]), count > 0 else {
                continue
            }
            // If only a server knows the owner's name, the first of the IDs stands for it. The server may not answer.
            let owner = UInt32(fields[0]) ?? owners[fields[0]] ?? first
            owners[fields[0]] = owner
            let (last, isTooLarge) = first.addingReportingOverflow(count - 1)
            if owner != 0 { ranges.append((first...(isTooLarge ? .max : last), owner)) }
        }
        self.ranges = ranges
    }

    /// Returns the owner of a user ID: another user for a subordinate ID, otherwise the user itself.
    func owner(of uid: UInt32) -> UInt32 {
        uid == 0 ? 0 : ranges.first { $0.ids.contains(uid) }?.owner ?? uid
    }

    private static func uids(_ passwd: [UInt8]) -> [String: UInt32] {
        let users = lines(passwd).compactMap { fields in
            fields.count > 2 ? UInt32(fields[2]).map { (fields[0], $0) } : nil
        }
        return Dictionary(users) { first, _ in first }
    }

    /// Returns the fields of each line.
    private static func lines(_ contents: [UInt8]) -> [[String]] {
        contents.split(separator: UInt8(ascii: "\n")).map { line in
            line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self)
            }
        }
    }
}
