internal import Authorization
internal import Glibc
internal import LocationProtocol
internal import Varlink

extension DaemonConnection {
    func explanation(of error: VarlinkClientError) -> Failure {
        switch error {
        case .notReachable(let path, EACCES):
            Failure(
                .unreachable,
                "not permitted to open \(path): run it with sudo, or become a member of the group locationd")
        case .notReachable(let path, let errno):
            Failure(
                .unreachable,
                """
                locationd is not reachable at \(path) (\(String(cString: strerror(errno)))): \
                start it with `sudo systemctl start locationd`, or name its folder with --runtime-directory
                """)
        case .closed: Failure(.unreachable, "locationd closed the connection: see its log")
        case .malformed:
            Failure(.failed, "locationd answered something else than this locationctl understands: \(error)")
        }
    }

    func explanation(of error: VarlinkError) -> Failure {
        switch error.name {
        case LocationInterface.name + ".NotAuthorized":
            Failure(.notAuthorized, "not authorized: run `\(grantCommand)`")
        case LocationInterface.name + ".ServicesDisabled":
            Failure(.notAuthorized, "location services are off: run `\(command("enable"))`")
        case LocationInterface.name + ".LocationUnknown":
            Failure(.failed, "no receiver has a location to give: see `\(command("receivers"))`")
        case LocationInterface.name + ".LimitExceeded":
            Failure(.failed, "a limit of the daemon was reached: \(text(error, "limit"))")
        case ManageInterface.name + ".NothingGranted":
            Failure(.failed, "\(text(error, "app")) has nothing that could be revoked: see `\(command("apps"))`")
        case ManageInterface.name + ".InvalidApp":
            Failure(
                .usage,
                """
                "\(text(error, "app"))" is no app: write exe:/usr/bin/foo, app:ID, flatpak:ID, snap:NAME or \
                service:NAME, as `\(command("apps"))` shows them
                """)
        case ManageInterface.name + ".StoreFailed":
            Failure(.failed, "the decision could not be written to the disk: \(text(error, "reason"))")
        case "org.varlink.service.PermissionDenied":
            Failure(.failed, "only root may do that: run it with sudo")
        case "org.varlink.service.InvalidParameter" where text(error, "parameter") == "accuracy":
            Failure(.failed, "this locationd cannot reduce the accuracy: grant the app full accuracy, or deny it")
        case "org.varlink.service.InvalidParameter":
            Failure(.usage, "locationd does not take this value of \(text(error, "parameter"))")
        case "org.varlink.service.MethodNotImplemented", "org.varlink.service.MethodNotFound":
            Failure(.failed, "this locationd cannot do that: \(text(error, "method"))")
        default: Failure(.failed, "\(error)")
        }
    }

    /// The command that grants this program what it lacks.
    var grantCommand: String {
        command("grant \(Self.ownIdentity ?? "exe:\(CommandLine.arguments[0])") --when-in-use")
    }

    /// A call of this program as a person would type it: for the same daemon, with sudo where it is needed.
    func command(_ arguments: String) -> String {
        let sudo = access(path(ManageInterface.self), W_OK) == 0 || access(directory, F_OK) != 0 ? "" : "sudo "
        let target = directory == "/run/locationd" ? "" : " --runtime-directory \(directory)"
        return "\(sudo)locationctl \(arguments)\(target)"
    }

    /// How the daemon names this process.
    static var ownIdentity: String? {
        let executable = [UInt8](unsafeUninitializedCapacity: 4097) { buffer, count in
            count = max(0, readlink("/proc/self/exe", buffer.baseAddress!, buffer.count))
        }
        let cgroup = (try? SmallFile.read("/proc/self/cgroup")) ?? ""
        let evidence = ProcessEvidence(
            uid: getuid(), cgroup: cgroup, executable: String(validating: executable, as: UTF8.self),
            flatpakInfo: try? SmallFile.read("/.flatpak-info"))
        return (try? AppIdentity.of(evidence))?.description
    }

    private func text(_ error: VarlinkError, _ field: String) -> String {
        Terminal.printable(error.parameters[field]?.string ?? "")
    }
}
