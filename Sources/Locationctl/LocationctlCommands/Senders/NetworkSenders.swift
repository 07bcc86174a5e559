internal import ForeignText
internal import Glibc
internal import JSON
internal import LocationctlSupport
internal import NMEARelay

/// The senders of NMEA 0183 that are announced in the network. The package locationd-nmea searches for them: neither
/// the daemon nor this program accesses the network.
struct NetworkSenders {
    static let user = "locationd-nmea-receive"
    static let programs = ["/usr/sbin/locationd-nmea", "/usr/local/sbin/locationd-nmea"]

    var programs = NetworkSenders.programs

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
        guard let program = programs.first(where: { access($0, X_OK) == 0 }) else {
            throw Failure(
                .failed,
                "the program locationd-nmea is not there: install the package of that name, as with "
                    + "`sudo apt install locationd-nmea`")
        }
        let arguments = ["discover", "--json"] + (name.map { ["--timeout", "10", "--name=" + $0] } ?? [])
        // Attack: a neighbour's announcement exploits the program that reads it. So the program does not run as root.
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
