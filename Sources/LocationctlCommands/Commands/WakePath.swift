internal import ArgumentParser
internal import Glibc

/// The path of the socket that starts an app, made absolute: the daemon has another working directory.
struct WakePath {
    /// The absolute path.
    let path: String

    init(_ text: String) throws {
        guard !text.isEmpty else { throw ValidationError("the path must not be empty") }
        guard !text.hasPrefix("/") else {
            path = text
            return
        }
        guard let folder = getcwd(nil, 0) else {
            throw ValidationError("use an absolute path: the working directory does not exist")
        }
        defer { free(folder) }
        path = String(cString: folder) + "/" + text
    }
}
