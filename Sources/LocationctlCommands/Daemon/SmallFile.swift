internal import FoundationEssentials

/// Files of the kernel and of the system that are read whole.
enum SmallFile {
    /// The contents as text.
    static func read(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }
}
