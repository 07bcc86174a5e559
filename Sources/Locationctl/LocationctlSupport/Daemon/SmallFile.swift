internal import FoundationEssentials

/// Small files of the kernel and the system, which are read whole.
package enum SmallFile {
    /// Returns the contents as text.
    package static func read(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }
}
