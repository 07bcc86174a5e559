internal import ArgumentParser
internal import Glibc

/// The socket that starts an app, as the daemon, which has another working directory, finds it.
struct WakePath {
    /// Absolute.
    let path: String

    init(_ text: String) throws {
        guard !text.isEmpty else { throw ValidationError("a path is not empty") }
        guard !text.hasPrefix("/") else {
            path = text
            return
        }
        guard let folder = getcwd(nil, 0) else {
            throw ValidationError("name it from /: there is no working directory")
        }
        defer { free(folder) }
        path = String(cString: folder) + "/" + text
    }
}
