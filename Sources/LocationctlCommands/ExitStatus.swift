/// The exit status of the program. Other programs depend on the numbers.
enum ExitStatus: Int32, Error {
    case done = 0
    /// The request was refused or failed.
    case failed = 1
    /// The arguments were wrong.
    case usage = 2
    /// The daemon is not reachable.
    case unreachable = 3
    /// The program is not authorized to have the location.
    case notAuthorized = 4
}

/// An error message for users, which says what went wrong and what to do about it, with its exit status.
struct Failure: Error {
    let status: ExitStatus
    let message: String

    init(_ status: ExitStatus = .failed, _ message: String) {
        self.status = status
        self.message = message
    }
}
