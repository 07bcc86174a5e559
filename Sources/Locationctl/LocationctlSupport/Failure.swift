/// An error message for users, with the cause, the remedy and the exit status.
package struct Failure: Error {
    package let status: ExitStatus
    package let message: String

    /// Creates an error with a message of one line. The message may contain names from outside.
    package init(_ status: ExitStatus = .failed, _ message: String) { self.init(status, lines: [message]) }

    /// Creates an error with a message of several lines.
    package init(_ status: ExitStatus, lines: [String]) {
        self.status = status
        message = lines.map { Terminal.printable(DisplayText.withoutIsolates($0)) }.joined(separator: "\nlocationctl: ")
    }
}

/// The exit status of the program. Other programs depend on the numbers.
package enum ExitStatus: Int32, Error {
    case done = 0
    /// The request was refused or failed.
    case failed = 1
    /// The arguments were wrong.
    case usage = 2
    /// The daemon is not reachable.
    case unreachable = 3
    /// The program is not authorized to have the location, location services are off, or the user did not answer in
    /// time.
    case notAuthorized = 4
}
