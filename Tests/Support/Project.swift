import Foundation

/// The project under test, with its sources on this machine.
package enum Project {
    /// The path of its folder, without a slash at the end.
    package static let folder = URL(filePath: #filePath).appending(path: "../../..").standardized.path(
        percentEncoded: false
    ).replacing(/\/$/, with: "")

    /// Returns the text of a file.
    ///
    /// - Parameter file: The path below the project's folder.
    package static func text(_ file: String) throws -> String {
        try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
    }

    /// Returns the paths of all files below a folder of the project, as `text(_:)` expects them, in order.
    package static func files(below subfolder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder + "/" + subfolder).map { "\(subfolder)/\($0)" }
            .sorted()
    }
}
