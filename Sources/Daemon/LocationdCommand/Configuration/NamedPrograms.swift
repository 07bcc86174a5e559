internal import AuthorizationPolicy
internal import LocationModel
internal import Logging
internal import PeerIdentity

/// The programs that rules and manifests name by paths.
enum NamedPrograms {
    /// The folders of programs. Users cannot write to them. Attack: a rule names a program in a user's folder, where a
    /// file system that never answers keeps the daemon from starting.
    private static let folders = ["/usr/", "/bin/", "/sbin/", "/lib", "/opt/"]

    /// Returns the rules, and for each rule that names a program by a link, another one for the link's target.
    ///
    /// Attack, or accident: a rule names `/usr/bin/python3`, and restricts nothing, because the kernel knows the
    /// program as `/usr/bin/python3.11`.
    static func resolved(_ rules: Set<Restriction>, _ log: Logger) -> Set<Restriction> {
        var all = rules
        for rule in rules {
            guard let app = rule.app else { continue }
            if let program = target(of: app) {
                all.insert(Restriction(app: program, uid: rule.uid))
                log.info("a rule restricts \(program), which \(app.name) is")
            } else if let reason = reason(app) {
                log.warning("a rule restricts \(app), and so nothing that runs: \(reason)")
            }
        }
        return all
    }

    /// Logs manifests that will never apply to an app.
    static func check(_ apps: some Sequence<AppIdentity>, _ log: Logger) {
        for app in apps {
            if let program = target(of: app) {
                log.warning(
                    """
                    the manifest of \(app) is never used, because that is a link to \(program.name): it must be called \
                    \(ManifestName.file(of: program))
                    """)
            } else if let reason = reason(app) {
                log.warning("the manifest of \(app) is never used: \(reason)")
            }
        }
    }

    /// Returns the program that a link leads to, or `nil` if the app's name is not such a link.
    private static func target(of app: AppIdentity) -> AppIdentity? {
        guard case .program(let path, _) = file(of: app), let program = AppIdentity(kind: .exe, name: path),
            program != app
        else { return nil }
        return program
    }

    private static func reason(_ app: AppIdentity) -> String? {
        switch file(of: app) {
        case .script(_, let interpreter?): "it is a script, whose identity is its interpreter, exe:\(interpreter)"
        case .script: "it is a script, whose identity is its interpreter"
        case .folder: "it is a folder"
        case .special: "it is not a file that can be run"
        case .missing(let lookalike?) where lookalike == app.name:
            "there is no such file, but one whose name has other bytes that look the same"
        case nil, .program, .missing, .unreadable: app.reasonForNeverMatching
        }
    }

    private static func file(of app: AppIdentity) -> ProgramFile? {
        guard app.kind == .exe, folders.contains(where: app.name.hasPrefix) else { return nil }
        return ProgramFile(at: app.name)
    }
}
