internal import CLinux
internal import Glibc
package import LocationModel
internal import LocationProtocol
internal import LocationctlSupport
internal import Varlink

extension DaemonConnection {
    /// The timeout for the daemon to read its configuration.
    static let reloadTimeout = Duration.seconds(30)

    /// Makes the daemon read its configuration, which now names a receiver, and waits until it has the receiver.
    package func use(_ source: String) async throws {
        try await reload()
        try await waitForReceiver(source)
    }

    /// Restores the configuration without the new receiver, and makes a running daemon read it again.
    package func restore(_ file: ReceiverFile) async throws {
        if try file.restore() { try await reload(startsIt: false) }
    }

    /// Makes the daemon read its configuration again: through systemd, if that holds the daemon's socket or the daemon
    /// is not running, and otherwise with SIGHUP.
    ///
    /// - Parameter startsIt: `true` to start a daemon that is not running; otherwise that is an error.
    func reload(startsIt: Bool = true) async throws {
        guard let process = socketOwner, process > 1 else {
            guard directory == installedRuntimeDirectory else {
                if startsIt { throw unreachable }
                return
            }
            let verb = startsIt ? "reload-or-restart" : "try-reload-or-restart"
            let result = ChildProcess.run("systemctl", [verb, "locationd.service"])
            guard let result, result.status == 0 else {
                let reason = result?.errors.split(separator: "\n").first.map { ": \($0)" } ?? ""
                throw Failure(
                    .unreachable,
                    "`systemctl \(verb) locationd` failed\(reason); see `journalctl -u locationd`")
            }
            return
        }
        // Attack: another user's program has a socket in a folder that is not locationd's, and root signals its
        // process.
        let name = try? SmallFile.read("/proc/\(process)/comm")
        guard name == "locationd\n", kill(process, SIGHUP) == 0 else { throw unreachable }
    }

    private var unreachable: Failure {
        Failure(
            .unreachable,
            "locationd is not running: start it with `sudo systemctl start locationd`, then run this again")
    }

    /// The process that listens on the public socket, or `nil` if there is none.
    private var socketOwner: pid_t? {
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        guard socket >= 0 else { return nil }
        defer { close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path(LocationInterface.self).utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        var credentials = peer_credentials()
        guard status == 0, peer_credentials(socket, &credentials) == 0 else { return nil }
        return credentials.pid
    }

    /// Waits until the daemon has the receiver.
    private func waitForReceiver(_ source: String) async throws {
        let refusal = Failure(
            .failed,
            "locationd has not taken \(source): `sudo locationctl doctor` says what is wrong with its configuration")
        try await within(Self.reloadTimeout, orThrow: refusal) {
            while try await receiver(source) == nil { try await Task.sleep(for: .milliseconds(200)) }
        }
    }

    private func receiver(_ source: String) async throws -> ReceiverSummary? {
        try await list(ListReceivers.self, .init()).receivers.first { $0.specification == source }
    }

    /// Returns the decisions about this program, for the user that it runs as and for the user who called sudo.
    func setupPermission() async throws -> SetupPermission {
        let own = try await call(GetAuthorization.self, Nothing()).authorization
        let program = OwnApp.current
        let app = program?.identity ?? "exe:\(CommandLine.arguments[0])"
        let uid = UserOption.invokingUser
        var status = own.status
        if let uid {
            let apps = try await list(ListApps.self, UserScope(uid: uid)).apps
            status = apps.first { $0.app == app }?.status ?? .notDetermined
        }
        return SetupPermission(
            app: app, own: own.status, servicesEnabled: own.servicesEnabled,
            refusal: program.flatMap { $0.isShared ? $0.refusal(command) : nil },
            userName: LoginName.of(uid.map(UInt32.init(clamping:)) ?? getuid()), users: status)
    }

    /// Returns the result of `body`, while this program may have the location, by a grant for that time if there is no
    /// decision about it. Returns `nil` if it may not.
    package func withLocation<Answer>(
        accuracy: AccuracyAuthorization, _ body: () async throws -> Answer
    ) async throws -> Answer? {
        let permission = try await setupPermission()
        switch permission.own {
        case .authorizedAlways, .authorizedWhenInUse: return try await body()
        case .notDetermined where permission.refusal == nil: break
        case .notDetermined, .denied, .restricted: return nil
        }
        let scope = AppScope(app: permission.app)
        try await make(.grant(scope, .always, .once, accuracy))
        let answer: Answer
        do {
            answer = try await body()
        } catch {
            _ = try? await call(Reset.self, scope)
            throw error
        }
        _ = try await call(Reset.self, scope)
        return answer
    }

    /// Returns the progress of a receiver, or `nil` if the daemon does not have it.
    func setupProgress(of source: String) async throws -> SetupProgress? {
        guard let receiver = try await receiver(source) else { return nil }
        let satellites =
            try await list(ListSatellites.self, Nothing()).receivers
            .first { $0.receiver == receiver.name }?.satellites ?? []
        return SetupProgress(receiver: receiver, seen: satellites.count, used: satellites.count { $0.used })
    }
}
