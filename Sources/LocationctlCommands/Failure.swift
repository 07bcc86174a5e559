/// An error message for users, which says what went wrong and what to do about it, with its exit status.
struct Failure: Error {
    let status: ExitStatus
    let message: String

    init(_ status: ExitStatus = .failed, _ message: String) {
        self.status = status
        self.message = message
    }
}
