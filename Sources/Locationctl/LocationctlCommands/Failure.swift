/// An error message for users, which says what went wrong and what to do about it, with its exit status.
struct Failure: Error {
    let status: ExitStatus
    let message: String

    /// Creates an error with a message of one line. It may repeat names from outside.
    init(_ status: ExitStatus = .failed, _ message: String) { self.init(status, lines: [message]) }

    /// Creates an error with a message of several lines.
    init(_ status: ExitStatus, lines: [String]) {
        self.status = status
        message = lines.map(Terminal.printable).joined(separator: "\nlocationctl: ")
    }
}

/// The exit status of the program. Other programs depend on the numbers.
enum ExitStatus: Int32, Error {
    case done = 0
    /// The request was refused or failed.
    case failed = 1
    /// The arguments were wrong.
    case usage = 2
    /// The daemon is not reachable.
    case unreachable = 3
    /// The program is not authorized to have the location, location services are off, or nobody answered in time.
    case notAuthorized = 4
}
