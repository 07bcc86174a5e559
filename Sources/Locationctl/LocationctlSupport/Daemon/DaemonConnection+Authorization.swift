internal import LocationModel
internal import LocationProtocol

extension DaemonConnection {
    /// Requests the authorization that this program needs, unless there is a decision already, and waits for the user's
    /// answer. Throws an error if it is not granted.
    ///
    /// - Parameter onReply: Called with each reply of the daemon. The first one comes before the user's answer.
    package func requestAuthorization(reason: String, onReply: () -> Void = {}) async throws {
        var authorization: Authorization?
        var remark: Task<Void, any Error>?
        defer { remark?.cancel() }
        let request = RequestAuthorization.Parameters(level: level, reason: reason)
        try await stream(RequestAuthorization.self, request) { reply in
            authorization = reply.authorization
            onReply()
            if let hasAgent = reply.hasAgent, !suffices(reply.authorization) {
                remark?.cancel()
                remark = remarkOfWaiting(hasAgent: hasAgent)
            }
            return true
        }
        guard let authorization, suffices(authorization) else {
            if authorization?.servicesEnabled == false { throw servicesDisabled }
            throw notAuthorized(authorization?.status)
        }
    }

    /// Returns the error for a missing authorization, with the command that grants it.
    func notAuthorized(_ status: AuthorizationStatus?) -> Failure {
        if status == .restricted {
            return Failure(
                .notAuthorized,
                "not authorized: the administrator's configuration forbids it; see [[restricted]] in /etc/locationd")
        }
        if let own = OwnApp.current, own.isShared {
            return Failure(.notAuthorized, "not authorized: \(own.refusal(command))")
        }
        guard status == .authorizedWhenInUse else {
            return Failure(.notAuthorized, "not authorized: run `\(grantCommand)`")
        }
        return Failure(
            .notAuthorized,
            "authorized only while in use, but this command needs always: run `\(grantCommand(for: .always))`")
    }

    private func suffices(_ authorization: Authorization) -> Bool {
        level == .always ? authorization.status == .authorizedAlways : authorization.status.isAuthorized
    }

    /// Prints a remark that the program is waiting, unless the answer comes within a second. The first reply, which
    /// precedes the answer, looks the same.
    private func remarkOfWaiting(hasAgent: Bool) -> Task<Void, any Error> {
        Task {
            try await Task.sleep(for: .seconds(1))
            if UserOption.invokingUser != nil {
                Terminal.writeError(
                    "locationctl: under sudo, this is root's program: without sudo, your own grant counts\n")
            }
            Terminal.writeError(
                hasAgent
                    ? "locationctl: waiting for your answer to the prompt\n"
                    : """
                    locationctl: waiting for authorization, and no agent asks for it; run `\(grantCommand)` or \
                    `\(command("agent"))` in another terminal

                    """)
        }
    }
}
