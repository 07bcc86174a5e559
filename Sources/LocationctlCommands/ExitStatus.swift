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
