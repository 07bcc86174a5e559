internal import FoundationEssentials
internal import Glibc
internal import NTRIP

extension CasterCredentials {
    /// The error for an unusable credential. It does not contain the credential.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let maximumLength = 1024

    /// Reads the credentials `user` and `password` from the service manager's folder: systemd.exec(5). Returns `nil` if
    /// there are none.
    static func read(from folder: String?) throws(Failure) -> CasterCredentials? {
        guard let folder, let user = try text("user", in: folder) else { return nil }
        // RFC 7617, 2: the password begins after the first colon.
        guard !user.contains(":") else {
            throw Failure(description: "the credential user contains a colon, which HTTP does not permit")
        }
        return CasterCredentials(user: user, password: try text("password", in: folder) ?? "")
    }

    private static func text(_ name: String, in folder: String) throws(Failure) -> String? {
        let path = "\(folder)/\(name)"
        guard access(path, F_OK) == 0 else { return nil }
        guard let data = FileManager.default.contents(atPath: path), data.count <= maximumLength,
            var text = String(validating: data, as: UTF8.self)
        else { throw Failure(description: "the credential \(name) cannot be read, is too long, or is not UTF-8") }
        // Editors and echo(1) end a file with a line feed, which is not part of the password.
        if text.hasSuffix("\n") { text.removeLast() }
        guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw Failure(description: "the credential \(name) contains a control character")
        }
        return text
    }
}
