internal import Glibc

/// The queue of locationd-publish, which has places that wait to be sent. It belongs to a service of the machine.
struct PublisherQueue {
    /// The outcome of clearing the queue.
    enum Outcome: Equatable {
        /// There is no publisher on this machine, or it has no queue.
        case absent
        case cleared
        /// Only root may delete what is in it.
        case notPermitted
        /// The publisher's program could not do it, for that reason.
        case failed(String)
    }

    static let user = "locationd-publish"
    static let programs = ["/usr/sbin/locationd-publish", "/usr/local/sbin/locationd-publish"]

    var programs = PublisherQueue.programs
    var folder = "/var/lib/locationd-publish"
    /// The user to run the publisher's program as, who owns the files of the queue; `nil` for this one.
    var user: String? = PublisherQueue.user

    /// Deletes what waits in the queue.
    func clear() -> Outcome {
        guard let program = programs.first(where: { access($0, X_OK) == 0 }), access(folder, F_OK) == 0 else {
            return .absent
        }
        guard geteuid() == 0 || user == nil else { return .notPermitted }
        let arguments = ["--clear", "--state-directory", folder]
        guard let result = ChildProcess.run(program, arguments, as: user) else {
            return .failed("\(program) cannot be run")
        }
        return result.status == 0 ? .cleared : .failed(result.errors.filter { $0 != "\n" })
    }
}
