internal import Bytewise
internal import Glibc
internal import LocationProtocol

extension DaemonConnection {
    /// Returns the app of a user that `text` names, and whether the daemon lists it. Throws if no app can have the
    /// name, or if there is no such user.
    func app(
        named text: String, of user: UserOption, for purpose: NamedApp.Purpose
    ) async throws -> (app: NamedApp, isKnown: Bool) {
        let uid = user.resolved ?? Int(getuid())
        let known = try await list(ListApps.self, UserScope(uid: uid)).apps
        // A user of a container has no entry, and is there all the same.
        if known.isEmpty, purpose == .decision, UInt32(exactly: uid).map({ getpwuid($0) == nil }) == true {
            throw Failure(.usage, "there is no user with the id \(uid): see `getent passwd`")
        }
        let app = try NamedApp(text, for: purpose, known: known)
        return (app, known.contains { $0.app.isBytewiseEqual(to: app.identity) })
    }
}

extension NamedApp {
    /// Writes the remark to standard error, if there is any.
    func writeRemark() {
        if let remark { Terminal.writeError("locationctl: \(Terminal.printable(remark))\n") }
    }
}
