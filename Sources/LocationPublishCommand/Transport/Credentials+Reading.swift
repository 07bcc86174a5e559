internal import Foundation

extension Credentials {
    /// The error for a credential that is not usable. It does not contain the credential.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Reads the credentials `user`, `password` and `tls-key` from the folder that the service manager has passed, if
    /// any: each may be missing.
    init(folder: String?) throws(Failure) {
        guard let folder else { return }
        user = try Self.text("user", in: folder)
        password = try Self.text("password", in: folder)
        let key = folder + "/locationd-publish.tls-key"
        if FileManager.default.fileExists(atPath: key) { keyFile = key }
        if password != nil, user == nil {
            throw Failure(
                description: "there is the credential locationd-publish.password, but not locationd-publish.user")
        }
    }

    private static func text(_ name: String, in folder: String) throws(Failure) -> String? {
        let path = "\(folder)/locationd-publish.\(name)"
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path), data.count <= 65_535,
            var text = String(bytes: data, encoding: .utf8)
        else { throw Failure(description: "the credential locationd-publish.\(name) cannot be read as text") }
        // Editors and echo(1) end a file with a line feed, which is not a part of the password.
        if text.hasSuffix("\n") { text.removeLast() }
        guard !text.utf8.contains(0) else {
            throw Failure(description: "the credential locationd-publish.\(name) contains a zero byte")
        }
        return text
    }
}
