internal import Authorization
internal import LocationProtocol

extension DaemonConnection {
    /// Asks the person, where nobody has decided yet, and waits for the answer. Throws where it is no.
    func requestAuthorization(reason: String) async throws {
        var authorization: Authorization?
        var hasExplained = false
        let request = RequestAuthorization.Parameters(level: .whenInUse, reason: reason)
        try await stream(RequestAuthorization.self, request) { reply in
            authorization = reply.authorization
            if reply.authorization.status == .notDetermined, !hasExplained {
                hasExplained = true
                Terminal.writeError("locationctl: waiting for the authorization: run `\(grantCommand)` elsewhere\n")
            }
            return true
        }
        guard let authorization, authorization.status.isAuthorized else {
            if authorization?.servicesEnabled == false {
                throw Failure(.notAuthorized, "location services are off: run `\(command("enable"))`")
            }
            throw Failure(.notAuthorized, "not authorized: run `\(grantCommand)`")
        }
    }
}
