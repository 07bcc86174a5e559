internal import ForeignText
internal import Glibc
internal import JSON
internal import NMEARelay

/// The senders of NMEA 0183 that are announced in the network. The package locationd-nmea looks for them: neither the
/// daemon nor this program has anything to do with the network.
struct NetworkSenders {
    static let user = "locationd-nmea-receive"
    static let programs = ["/usr/sbin/locationd-nmea", "/usr/local/sbin/locationd-nmea"]

    var programs = NetworkSenders.programs

    /// What is announced.
    struct Found: Sendable {
        let announcements: [Announcement]
        /// The remarks of the program on what is missing.
        let remarks: [String]
        /// A Boolean value indicating whether everything that is announced was looked at, and answered.
        let isWhole: Bool
    }

    /// The exit status of the program after a list that is not whole.
    private static let incomplete: CInt = 3

    /// Returns what is announced.
    ///
    /// - Parameter name: The name of the only sender to look at, or `nil` for all of them. Its hosts get more time.
    func discover(_ name: String? = nil) throws(Failure) -> Found {
        guard let program = programs.first(where: { access($0, X_OK) == 0 }) else {
            throw Failure(
                .failed,
                "the program locationd-nmea is not there: install the package of that name, as with "
                    + "`sudo apt install locationd-nmea`")
        }
        let arguments = ["discover", "--json"] + (name.map { ["--timeout", "10", "--name=" + $0] } ?? [])
        // Attack: what a neighbour announces gets the better of the program that reads it. It has no need to be root.
        let isLess = geteuid() == 0 && getpwnam(Self.user) != nil
        guard let result = ChildProcess.run(program, arguments, as: isLess ? Self.user : nil) else {
            throw Failure(.failed, "\(program) cannot be run")
        }
        let remarks = result.errors.split(separator: "\n").map {
            String($0.hasPrefix("locationd-nmea: ") ? $0.dropFirst("locationd-nmea: ".count) : $0)
        }
        guard result.status == 0 || result.status == Self.incomplete else {
            throw Failure(.failed, remarks.first ?? "\(program) failed")
        }
        do {
            let announcements = try result.output.split(separator: "\n").prefix(Discovery.maximumTargets).map {
                try JSONValue(parsing: String($0)).decoded(as: Announcement.self)
            }
            return Found(announcements: announcements, remarks: remarks, isWhole: result.status == 0)
        } catch {
            throw Failure(
                .failed, "\(program) has answered what cannot be read: it is of another version than locationctl")
        }
    }
}
