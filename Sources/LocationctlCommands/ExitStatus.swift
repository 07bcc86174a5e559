/// How the program ends. Other programs depend on the numbers.
enum ExitStatus: Int32, Error {
    case done = 0
    /// Refused or failed.
    case failed = 1
    /// Wrong arguments.
    case usage = 2
    /// The daemon is not reachable.
    case unreachable = 3
    /// The user has not authorized it.
    case notAuthorized = 4
}

/// What went wrong, and what to do about it.
struct Failure: Error {
    let status: ExitStatus
    let message: String

    init(_ status: ExitStatus = .failed, _ message: String) {
        self.status = status
        self.message = message
    }
}
