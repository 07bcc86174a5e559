internal import ForeignText

/// An error in the configuration: its place, and what is allowed there.
package struct ConfigurationError: Error, CustomStringConvertible {
    package let description: String

    /// - Parameter line: The line of the error, counted from 1, or `nil` if it is not known.
    package init(file: String, line: Int?, _ message: String) {
        // The message may repeat what is in the file.
        description = ForeignText.line("\(file):\(line.map { "\($0): " } ?? " ")\(message)")
    }
}
