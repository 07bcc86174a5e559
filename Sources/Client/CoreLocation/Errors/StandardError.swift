package import Foundation

/// Standard error, for messages to the user who started the program.
package enum StandardError {
    /// Writes a line, which ends with a line feed. A file that cannot be written, such as a pipe whose reader has gone
    /// away, must not end the app: then the line is lost.
    package static func writeLine(_ line: String, to file: FileHandle = .standardError) {
        try? file.write(contentsOf: Data(line.utf8))
    }
}
