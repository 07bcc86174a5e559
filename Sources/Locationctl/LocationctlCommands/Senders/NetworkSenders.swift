internal import LocationctlSupport
internal import NMEARelay

/// The senders of NMEA 0183 that are announced in the network. The package locationd-nmea searches for them.
struct NetworkSenders {
    var program = NetworkProgram("locationd-nmea", user: "locationd-nmea-receive")

    /// The result of a search.
    struct Found: Sendable {
        let announcements: [Announcement]
        /// The program's remarks about missing parts.
        let remarks: [String]
        /// A Boolean value indicating whether all announced senders were examined and answered.
        let isWhole: Bool
    }

    /// The exit status of the program after an incomplete list.
    private static let incomplete: CInt = 3

    /// Searches for announced senders.
    ///
    /// - Parameter name: The name of the only sender to examine, or `nil` for all of them. The hosts of a named sender
    ///   get more time.
    func discover(_ name: String? = nil) throws(Failure) -> Found {
        let (result, remarks) = try program.run(
            ["discover", "--json"] + (name.map { ["--timeout", "10", "--name=" + $0] } ?? []))
        guard result.status == 0 || result.status == Self.incomplete else {
            throw Failure(.failed, remarks.first ?? "\(program.name) failed")
        }
        let announcements = try program.values(Announcement.self, in: result, limit: Discovery.maximumTargets)
        return Found(announcements: announcements, remarks: remarks, isWhole: result.status == 0)
    }
}
