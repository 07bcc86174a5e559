internal import AuthorizationPolicy
internal import Bytewise
internal import Glibc
internal import LocationModel
internal import LocationProtocol
internal import PeerIdentity

/// The app that the user names on the command line: the one place where a typed name becomes an identity.
///
/// Names are resolved here and not by the daemon, which has no access to some folders and sees different contents in
/// others. The daemon only checks the form.
package struct NamedApp: Equatable {
    /// The purpose of the name.
    package enum Purpose {
        /// A new decision: grant, deny.
        case decision
        /// An existing decision or record: revoke, reset, clear.
        case kept
    }

    /// The identity, as `kind:name`.
    package let identity: String
    /// The name as typed, if it differs from the resolved name of the program.
    package private(set) var typed: String?
    /// A remark for the user about a valid name.
    private(set) var remark: String?

    /// Resolves a name.
    ///
    /// Attack, or accident: `deny exe:/usr/bin/python3` succeeds, and nothing is denied, because the kernel knows the
    /// program as `/usr/bin/python3.11`.
    ///
    /// - Parameters:
    ///   - known: The user's apps that the daemon lists. A name that `locationctl apps` shows is matched byte by byte,
    ///     so that a deleted program can be revoked too.
    ///   - file: Returns the file at a path.
    init(
        _ text: String, for purpose: Purpose, known: [AppSummary],
        file: (_ path: String) -> ProgramFile = ProgramFile.init
    ) throws(Failure) {
        func isKnown(_ app: String) -> Bool { known.contains { $0.app.isBytewiseEqual(to: app) } }
        let entry = known.first { $0.app.isBytewiseEqual(to: text) }
        // The daemon refuses a text that is not an app's identity, and lists the allowed forms.
        guard let app = AppIdentity(text) else {
            identity = text
            return
        }
        let isMeant = purpose == .kept ? entry != nil : (entry?.connections ?? 0) > 0
        guard app.kind == .exe else {
            if entry == nil, let reason = app.reasonForNeverMatching { throw Self.refusal(text, reason) }
            identity = text
            guard entry == nil, purpose == .decision else { return }
            remark = "no such app is known yet: the decision applies once it connects"
            return
        }
        let found = file(app.name)
        if case .program(let path, _) = found, !path.isBytewiseEqual(to: app.name) {
            let real = "exe:\(path)"
            if isMeant {
                identity = text
                guard isKnown(real) else { return }
                remark = "\(app.name) is \(real) now, and the decision about \(real) stays"
            } else {
                identity = real
                typed = app.name
            }
            return
        }
        identity = text
        guard !isMeant else { return }
        remark = try Self.remark(about: app, found, for: purpose)
    }

    /// Returns a remark for the user about a program's path, whether or not a file exists there. Throws if no running
    /// program can have this name.
    private static func remark(
        about app: AppIdentity, _ found: ProgramFile, for purpose: Purpose
    ) throws(Failure) -> String? {
        let path = app.name
        switch found {
        case .program(_, isExecutable: true): return nil
        case .program(_, isExecutable: false): return "\(path) is not executable now"
        case .script(_, let interpreter):
            let other = interpreter.map { ", exe:\($0): a decision about that applies to everything it runs" } ?? ""
            throw refusal("exe:\(path)", "it is a script, and the identity of a script is its interpreter\(other)")
        case .folder: throw refusal("exe:\(path)", "it is a folder")
        case .special: throw refusal("exe:\(path)", "it is not a file that can be run")
        case .missing(let lookalike?):
            let isSpelling = lookalike == path
            throw refusal(
                "exe:\(path)",
                "there is no such file, but exe:\(lookalike), "
                    + (isSpelling
                        ? "whose name has other bytes that look the same: let the shell complete it"
                        : "without the characters before or after the name"))
        case .missing(nil):
            if let reason = app.reasonForNeverMatching { throw refusal("exe:\(path)", reason) }
            if path.contains(where: { "*?[".contains($0) }) {
                throw refusal("exe:\(path)", "there is no such file, and patterns have no meaning: name one program")
            }
            return purpose == .kept
                ? nil : "there is no \(path) now: the decision applies to a program installed there later"
        case .unreadable(let reason):
            return purpose == .kept ? nil : "it is not known whether there is a program \(path): \(reason)"
        }
    }

    private static func refusal(_ app: String, _ reason: String) -> Failure {
        Failure(.failed, "no program can be known as \(app), so nothing was changed: \(reason)")
    }
}

extension DaemonConnection {
    /// Returns the user's app that `text` names, and whether the daemon lists it. Throws if no app can have the name,
    /// or if there is no such user.
    package func app(
        named text: String, of user: UserOption, for purpose: NamedApp.Purpose
    ) async throws -> (app: NamedApp, isKnown: Bool) {
        let uid = user.resolved ?? Int(getuid())
        let known = try await list(ListApps.self, UserScope(uid: uid)).apps
        // A container's users exist without having an entry.
        if known.isEmpty, purpose == .decision, UInt32(exactly: uid).map({ getpwuid($0) == nil }) == true {
            throw Failure(.usage, "there is no user with the id \(uid): see `getent passwd`")
        }
        let app = try NamedApp(text, for: purpose, known: known)
        return (app, known.contains { $0.app.isBytewiseEqual(to: app.identity) })
    }
}

extension NamedApp {
    /// Writes the remark to standard error, if there is any.
    package func writeRemark() {
        if let remark { Terminal.writeError("locationctl: \(Terminal.printable(remark))\n") }
    }
}
