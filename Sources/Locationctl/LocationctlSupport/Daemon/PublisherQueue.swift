internal import Glibc

/// The queue of locationd-publish: places that wait to be sent. It belongs to a system service.
package struct PublisherQueue {
    /// The outcome of clearing the queue.
    package enum Outcome: Equatable {
        /// There is no publisher on this machine, or it has no queue.
        case absent
        case cleared
        /// Only root may delete its contents.
        case notPermitted
        /// The publisher's program failed, for this reason.
        case failed(String)
    }

    package static let user = "locationd-publish"
    package static let programs = ["/usr/sbin/locationd-publish", "/usr/local/sbin/locationd-publish"]

    let programs: [String]
    let folder: String
    /// The owner of the queue's files, as whom the publisher's program runs; `nil` for the current user.
    package let user: String?

    package init(
        programs: [String] = PublisherQueue.programs, folder: String = "/var/lib/locationd-publish",
        user: String? = PublisherQueue.user
    ) {
        (self.programs, self.folder, self.user) = (programs, folder, user)
    }

    /// Deletes the contents of the queue.
    package func clear() -> Outcome {
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
