internal import ArgumentParser
internal import Glibc

/// Reading of text files without Foundation.
enum TextFile {
    /// Returns the content of a file.
    ///
    /// - Throws: `ValidationError` with the reason.
    static func read(_ path: String) throws -> String {
        guard let file = fopen(path, "r") else { throw failure(path) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = fread(&block, 1, block.count, file)
            bytes += block.prefix(count)
            guard count == block.count else { break }
        }
        guard ferror(file) == 0 else { throw failure(path) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func failure(_ path: String) -> ValidationError {
        ValidationError("\(path): \(String(cString: strerror(errno)))")
    }
}
