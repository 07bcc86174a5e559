internal import ArgumentParser
internal import Glibc

/// Whose apps a command is about: under sudo the user who called it, unless `--uid` names one.
struct UserOption: ParsableArguments {
    @Option(help: ArgumentHelp("Another user's apps; only root may name one.", valueName: "uid"))
    var uid: Int?

    /// The user to name in the call; `nil` for the caller's own.
    var resolved: Int? {
        if let uid { return uid }
        guard geteuid() == 0, let sudo = getenv("SUDO_UID").flatMap({ Int(String(cString: $0)) }), sudo != 0 else {
            return nil
        }
        return sudo
    }
}
