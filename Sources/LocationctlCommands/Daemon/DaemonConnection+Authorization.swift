internal import LocationModel
internal import LocationProtocol

extension DaemonConnection {
    /// Asks the user for what this program needs, where that is not decided yet, and waits for the answer. Throws where
    /// it is no.
    func requestAuthorization(reason: String) async throws {
        var authorization: Authorization?
        var remark: Task<Void, any Error>?
        defer { remark?.cancel() }
        let request = RequestAuthorization.Parameters(level: level, reason: reason)
        try await stream(RequestAuthorization.self, request) { reply in
            authorization = reply.authorization
            if remark == nil, !suffices(reply.authorization) { remark = remarkOfWaiting() }
            return true
        }
        guard let authorization, suffices(authorization) else {
            if authorization?.servicesEnabled == false {
                throw Failure(.notAuthorized, "location services are off: run `\(command("enable"))`")
            }
            throw notAuthorized(authorization?.status)
        }
    }

    /// That it is not authorized, and the command that changes it.
    func notAuthorized(_ status: AuthorizationStatus?) -> Failure {
        if status == .restricted {
            return Failure(.notAuthorized, "not authorized: the administrator's configuration forbids it")
        }
        guard status == .authorizedWhenInUse else {
            return Failure(.notAuthorized, "not authorized: run `\(grantCommand)`")
        }
        return Failure(
            .notAuthorized,
            "authorized while in use only, and this needs always: run `\(grantCommand(for: .always))`")
    }

    private func suffices(_ authorization: Authorization) -> Bool {
        level == .always ? authorization.status == .authorizedAlways : authorization.status.isAuthorized
    }

    /// Tells what it waits for, unless the answer comes at once: the first of two replies cannot be told from the only
    /// one.
    private func remarkOfWaiting() -> Task<Void, any Error> {
        Task {
            try await Task.sleep(for: .milliseconds(100))
            Terminal.writeError(
                """
                locationctl: waiting for the authorization: run `\(grantCommand)` or `\(command("agent"))` elsewhere

                """)
        }
    }
}
