internal import Authorization
internal import Glibc
internal import LocationProtocol
internal import Positioning
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
        let parts = error.name.split(separator: ".")
        let name = String(parts.last ?? "")
        return switch parts.dropLast().joined(separator: ".") {
        case LocationInterface.name: explanation(ofLocation: name, error)
        case ManageInterface.name: explanation(ofManage: name, error)
        case "org.varlink.service": explanation(ofVarlink: name, error)
        default: Failure(.failed, Terminal.printable("\(error)"))
        }
    }

    private func explanation(ofLocation name: String, _ error: VarlinkError) -> Failure {
        switch name {
        case "NotAuthorized": notAuthorized(AuthorizationStatus(rawValue: text(error, "status")))
        case "ServicesDisabled": Failure(.notAuthorized, "location services are off: run `\(command("enable"))`")
        case "LocationUnknown":
            Failure(.failed, "no receiver has a location to give: see `\(command("receivers"))`")
        case "StoreFailed": Failure(.failed, "the change could not be written to the disk: \(text(error, "reason"))")
        case "LimitExceeded": Failure(.failed, "a limit of the daemon was reached: \(text(error, "limit"))")
        case "TooManyRegions":
            Failure(
                .failed,
                """
                \(CircularRegion.maximumCount) regions are monitored already: \
                remove one with `\(command("region remove ID"))`
                """)
        case "RegionMonitoringDenied":
            Failure(
                .notAuthorized, "regions are not monitored under reduced accuracy: run `\(grantCommand)`")
        case "HeadingUnavailable":
            Failure(.failed, "no receiver has a compass: see `\(command("receivers"))`")
        case "WakeRefused": Failure(.failed, "the socket to wake will not be written to: \(text(error, "reason"))")
        default: Failure(.failed, Terminal.printable("\(error)"))
        }
    }

    private func explanation(ofManage name: String, _ error: VarlinkError) -> Failure {
        switch name {
        case "NothingGranted":
            Failure(.failed, "\(text(error, "app")) has nothing that could be revoked: see `\(command("apps"))`")
        case "InvalidApp":
            Failure(
                .usage,
                """
                "\(text(error, "app"))" is no app: write exe:/usr/bin/foo, app:ID, flatpak:ID, snap:NAME or \
                service:NAME, as `\(command("apps"))` shows them
                """)
        case "Restricted":
            Failure(
                .failed,
                """
                the administrator's configuration forbids \(text(error, "app")) the location, and nobody can grant it: \
                see /etc/locationd
                """)
        case "NoSuchPrompt":
            Failure(
                .failed,
                """
                question \(number(error, "id")) is not open: it was answered already, or nothing is asked any more; see \
                `\(command("prompts"))`
                """)
        case "AnswerNotOffered":
            Failure(.failed, "that is no answer to this question; these are: \(answers(error))")
        case "LimitExceeded":
            Failure(
                .failed,
                """
                1,000 apps of that user are decided about already: see `\(command("apps"))`, and forget one of them with \
                `\(command("reset APP"))`
                """)
        case "StoreFailed":
            Failure(.failed, "the decision could not be written to the disk: \(text(error, "reason"))")
        case "SimulationRefused": Failure(.failed, "the simulation was refused: \(text(error, "reason"))")
        default: Failure(.failed, Terminal.printable("\(error)"))
        }
    }

    private func explanation(ofVarlink name: String, _ error: VarlinkError) -> Failure {
        switch name {
        case "PermissionDenied": Failure(.failed, "only root may do that: run it with sudo")
        case "InvalidParameter": explanation(ofParameter: text(error, "parameter"))
        case "MethodNotImplemented", "MethodNotFound":
            Failure(.failed, "this locationd cannot do that: \(text(error, "method"))")
        default: Failure(.failed, Terminal.printable("\(error)"))
        }
    }

    /// What is wrong with a parameter, in the words of this program's arguments.
    private func explanation(ofParameter parameter: String) -> Failure {
        switch parameter {
        case "identifier": Failure(.failed, "there is no such region: see `\(command("region list"))`")
        case "region.identifier":
            Failure(.usage, "an identifier of a region is 1 to \(CircularRegion.maximumIdentifierLength) bytes")
        case "region.radius":
            Failure(.usage, "a radius is 1 to \(Decimal.text(CircularRegion.radii.upperBound, digits: 0)) m")
        case "latitude", "region.latitude": Failure(.usage, "a latitude is -90 to 90 degrees")
        case "longitude", "region.longitude": Failure(.usage, "a longitude is -180 to 180 degrees")
        case "filter": Failure(.usage, "locationd does not take this value of --heading-filter")
        case "uid": Failure(.usage, "there is no user of that id")
        default: Failure(.usage, "locationd does not take this value of \(parameter)")
        }
    }

    /// The command that grants this program what it lacks.
    var grantCommand: String { grantCommand(for: level) }

    /// The command that grants this program `level`.
    func grantCommand(for level: RequestedLevel) -> String {
        let option = level == .always ? "--always" : "--when-in-use"
        return command("grant \(Self.ownIdentity ?? "exe:\(CommandLine.arguments[0])") \(option)")
    }

    /// A call of this program as a person would type it: for the same daemon, with sudo where it is needed.
    func command(_ arguments: String) -> String {
        let sudo = access(path(ManageInterface.self), W_OK) == 0 || access(directory, F_OK) != 0 ? "" : "sudo "
        let target = directory == installedRuntimeDirectory ? "" : " --runtime-directory \(directory)"
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

    /// The answers that a question takes, as they are written on the command line.
    private func answers(_ error: VarlinkError) -> String {
        guard case .array(let values)? = error.parameters["answers"] else { return "" }
        return PromptAnswer.list(values.compactMap { $0.string.flatMap(PromptAnswer.init(rawValue:)) })
    }

    private func number(_ error: VarlinkError, _ field: String) -> String {
        guard case .int(let value)? = error.parameters[field] else { return "" }
        return "\(value)"
    }

    private func text(_ error: VarlinkError, _ field: String) -> String {
        Terminal.printable(error.parameters[field]?.string ?? "")
    }
}
