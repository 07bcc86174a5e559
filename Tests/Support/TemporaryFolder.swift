import Foundation

/// A temporary folder for one test, removed with its contents on deinit.
///
/// Its path is short, because the path of a socket has at most 107 bytes.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        var template = Array("/tmp/locationd-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw POSIXError.last }
        path = String(cString: made)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and returns its path.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        let file = "\(path)/\(name)"
        try Data(text.utf8).write(to: URL(filePath: file))
        return file
    }

    /// Removes a file.
    package func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }
}
