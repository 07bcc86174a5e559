internal import AuthorizationPolicy
internal import Glibc
internal import LocationModel
internal import LocationProtocol
internal import Varlink

extension DaemonConnection {
    func failure(for error: VarlinkClientError) -> Failure {
        switch error {
        case .notReachable(let path, EACCES):
            Failure(.notAuthorized, "not permitted to open \(path): \(Self.remedy)")
        case .notReachable(let path, let errno) where directory != installedRuntimeDirectory:
            Failure(
                .unreachable,
                """
                no locationd uses the folder \(Terminal.printable(directory)) (\(path): \
                \(String(cString: strerror(errno)))): start one with --runtime-directory \
                \(Terminal.printable(directory)), or leave that option and LOCATIOND_RUNTIME_DIRECTORY out to use the \
                installed one
                """)
        case .notReachable(let path, let errno):
            Failure(
                .unreachable,
                """
                locationd is not reachable at \(path) (\(String(cString: strerror(errno)))): \
                start it with `sudo systemctl start locationd`, or give its folder with --runtime-directory
                """)
        case .closed: Failure(.unreachable, "locationd closed the connection: see `sudo journalctl -u locationd`")
        case .malformed:
            Failure(
                .failed,
                """
                the reply from locationd does not match this locationctl (\(error)): check that both are of the same \
                version
                """)
        }
    }

    /// The remedy for a user who may not manage.
    private static let remedy =
        "use sudo, or join the group locationd with `sudo usermod -aG locationd $USER` and log in again"

    private func notAuthorized(_ action: ManagementAction, _ reason: NotAuthorizedReason) -> Failure {
        let subject =
            switch action {
            case .answer: "to view your apps and answer for them"
            case .manage: "to manage which apps get the location"
            }
        let why =
            switch reason {
            case .refused: "polkit refused"
            case .authenticationNeeded: "you would have to authenticate, and no program is running that asks for that"
            case .unavailable: "polkit, which could let you, is not available or did not answer"
            }
        return Failure(.notAuthorized, "not authorized \(subject) (\(why)): \(Self.remedy)")
    }

    func failure<Interface: DaemonInterface>(for error: VarlinkError, of interface: Interface.Type) -> Failure {
        if Interface.self == LocationInterface.self, error == .permissionDenied { return unidentified }
        if let known = LocationFailure(error) { return failure(for: known, error) }
        if let known = ManageFailure(error) { return failure(for: known) }
        let parts = error.name.split(separator: ".")
        guard parts.dropLast().joined(separator: ".") == "org.varlink.service", let name = parts.last else {
            return Failure(.failed, Terminal.printable("\(error)"))
        }
        return failure(forVarlink: String(name), error)
    }

    private func failure(for failure: LocationFailure, _ error: VarlinkError) -> Failure {
        switch failure {
        case .notAuthorized(let status): notAuthorized(status)
        case .servicesDisabled: servicesDisabled
        case .locationUnknown:
            Failure(.failed, "no receiver has a location: see `\(command("receivers"))`")
        case .storeFailed(let reason):
            Failure(.failed, "the change could not be written to the disk: \(Terminal.printable(reason))")
        case .limitExceeded(let limit):
            Failure(
                .failed,
                "locationd's limit \(Terminal.printable(limit)) was reached: close some streams, or try again later")
        case .tooManyRegions:
            Failure(
                .failed,
                """
                \(CircularRegion.maximumCount) regions are already monitored, which is the maximum: \
                remove one with `\(command("region remove ID"))`
                """)
        case .regionMonitoringDenied:
            Failure(.notAuthorized, "regions and beacons need full accuracy: run `\(grantCommand)`")
        case .headingUnavailable:
            Failure(.failed, "no receiver has a compass: see `\(command("receivers"))`")
        case .wakeRefused(let reason):
            Failure(.failed, "locationd refuses the wake socket: \(Terminal.printable(reason))")
        case .usageDescriptionMissing, .promptDeclined: Failure(.failed, Terminal.printable("\(error)"))
        }
    }

    private func failure(for failure: ManageFailure) -> Failure {
        switch failure {
        case .nothingGranted(let app):
            Failure(
                .failed,
                translated(
                    "nothing is granted to {app}, so nothing can be revoked: see `{command}`",
                    ["app": Terminal.printable(app), "command": command("apps")]))
        case .decisionChanged(let app):
            Failure(
                .failed,
                translated(
                    // Translators: {access} is the new decision, such as "while in use, reduced accuracy".
                    """
                    the decision about {app} was changed in the meantime, so nothing was done: it is now {access}; \
                    look again, and decide again
                    """, ["app": Terminal.printable(app.app), "access": DecisionText.level(app)]))
        case .invalidApp(let app):
            Failure(
                .usage,
                """
                "\(Terminal.printable(app))" is not an app. Use exe:/usr/bin/foo, app:ID, flatpak:ID, snap:NAME or \
                service:NAME, as `\(command("apps"))` shows them
                """)
        case .restricted(let app):
            Failure(
                .failed,
                """
                the administrator's configuration forbids \(Terminal.printable(app)) the location, so it cannot \
                be granted: see /etc/locationd
                """)
        case .noSuchPrompt(let id):
            Failure(
                .failed,
                translated(
                    "there is no open prompt {number}: it was answered or withdrawn; see `{command}`",
                    ["number": "\(id)", "command": command("prompts")]))
        case .answerNotOffered(let answers):
            Failure(.failed, "that answer is not possible for this prompt; use one of: \(PromptAnswer.list(answers))")
        case .notAuthorized(let action, let reason): notAuthorized(action, reason)
        case .limitExceeded(let limit) where limit != "decisionsPerUser":
            Failure(
                .failed,
                "locationd's limit \(Terminal.printable(limit)) was reached: close some streams, or try again later")
        case .limitExceeded:
            Failure(
                .failed,
                """
                the user already has decisions about 1,000 apps, which is the maximum: see `\(command("apps"))`, and \
                forget one with `\(command("reset APP"))`
                """)
        case .storeFailed(let reason):
            Failure(.failed, "the daemon's database could not be used: \(Terminal.printable(reason))")
        case .surroundingsUnknown:
            Failure(
                .failed,
                """
                neither networks nor a fix show where the machine is, so no place was forgotten: without --here, all \
                are
                """)
        case .simulationRefused(let reason):
            Failure(.failed, "the simulation was refused: \(Terminal.printable(reason))")
        }
    }

    private func failure(forVarlink name: String, _ error: VarlinkError) -> Failure {
        switch name {
        case "PermissionDenied": Failure(.failed, "only root may do that: use sudo")
        case "InvalidParameter": failure(forParameter: text(error, "parameter"))
        case "MethodNotImplemented", "MethodNotFound":
            Failure(
                .failed,
                """
                the running locationd does not support \(text(error, "method")): check that it is of the same version \
                as this locationctl
                """)
        default: Failure(.failed, Terminal.printable("\(error)"))
        }
    }

    /// Returns the error for an invalid parameter, in terms of this program's arguments.
    private func failure(forParameter parameter: String) -> Failure {
        switch parameter {
        case "identifier": Failure(.failed, "there is no such region: see `\(command("region list"))`")
        case "region.identifier":
            Failure(
                .usage,
                """
                a region's identifier must have 1 to \(CircularRegion.maximumIdentifierLength) bytes, without control \
                characters
                """)
        case "region.radius":
            Failure(
                .usage,
                "the radius must be between 1 and \(Decimal.text(CircularRegion.radii.upperBound, digits: 0)) m")
        case "latitude", "region.latitude": Failure(.usage, "the latitude must be between -90 and 90 degrees")
        case "longitude", "region.longitude": Failure(.usage, "the longitude must be between -180 and 180 degrees")
        case "filter": Failure(.usage, "locationd does not accept this value for --heading-filter")
        case "uid": Failure(.usage, "there is no user with that id")
        default: Failure(.usage, "locationd does not accept this value for \(parameter)")
        }
    }

    /// The error for a program that has no identity, the only kind that the public socket refuses. Only the log has the
    /// reason.
    private var unidentified: Failure {
        Failure(
            .failed,
            """
            locationd cannot identify this program, perhaps because it runs in a container or a sandbox: \
            `sudo journalctl -u locationd`, outside of it, shows the reason and the remedy
            """)
    }

    /// The error for disabled location services. They may be off for this user or for the whole machine.
    var servicesDisabled: Failure {
        Failure(
            .notAuthorized,
            """
            location services are off: run `\(command("enable --uid \(getuid())"))` to turn them on for yourself, or \
            `sudo locationctl enable\(targetOption)` if they are off for the whole machine
            """)
    }

    /// The command that grants this program the authorization that it needs.
    package var grantCommand: String { grantCommand(for: level) }

    /// Returns the command that grants this program `level`.
    func grantCommand(for level: RequestedLevel) -> String {
        let option = level == .always ? "--always" : "--when-in-use"
        let app = OwnApp.current?.identity ?? "exe:\(CommandLine.arguments[0])"
        // Under sudo, this program asks as root, while decisions are about the apps of the user who called sudo.
        let user = UserOption.invokingUser != nil ? " --uid 0" : ""
        return command("grant \(Terminal.printable(app)) \(option)\(user)")
    }

    /// Returns a `locationctl` command as a user would type it: for the same daemon, with sudo if it is needed.
    package func command(_ arguments: String) -> String {
        let sudo = access(path(ManageInterface.self), W_OK) == 0 || access(directory, F_OK) != 0 ? "" : "sudo "
        return "\(sudo)locationctl \(arguments)\(targetOption)"
    }

    private var targetOption: String {
        directory == installedRuntimeDirectory ? "" : " --runtime-directory \(Terminal.printable(directory))"
    }

    /// Returns the named app or, for `nil`, this program.
    package static func identity(_ named: String?) throws -> String {
        if let app = named ?? OwnApp.current?.identity { return app }
        throw Failure(.failed, "the identity of this program cannot be read from /proc: name it")
    }

    private func text(_ error: VarlinkError, _ field: String) -> String {
        Terminal.printable(error.parameters[field]?.string ?? "")
    }
}
