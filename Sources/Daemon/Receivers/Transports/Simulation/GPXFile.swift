import FileFormats
import GPX

/// Reading of GPX files.
enum GPXFile {
    /// Reads the places of the file at `path`. An error names the file and the line.
    static func places(in path: String) throws(ReceiverFailure) -> [Route.Place] {
        let file = try InputFile.open(path)
        var reader = GPXReader()
        var decoder = TextDecoder(acceptsGPX: true)
        var block = [UInt8](repeating: 0, count: 65536)
        while case let count = try file.read(into: &block), count > 0 {
            let text = try decoded(from: path) { () throws(ForeignFormat) in
                try decoder.decode(block.span.extracting(first: count))
            }
            do throws(GPXReader.Failure) { try reader.read(text.span) } catch { throw failure(error, in: path) }
        }
        let rest = try decoded(from: path) { () throws(ForeignFormat) in try decoder.finish() }
        do throws(GPXReader.Failure) {
            try reader.read(rest.span)
            return try reader.finish()
        } catch { throw failure(error, in: path) }
    }

    /// Returns the result of `decode`. A file of another format is unusable.
    private static func decoded(
        from path: String, _ decode: () throws(ForeignFormat) -> [UInt8]
    ) throws(ReceiverFailure) -> [UInt8] {
        do throws(ForeignFormat) { return try decode() } catch {
            throw ReceiverFailure(.unusable, "cannot read \(path): \(error)")
        }
    }

    private static func failure(_ failure: GPXReader.Failure, in path: String) -> ReceiverFailure {
        ReceiverFailure(.unusable, "\(path):\(failure.line): \(failure.message)")
    }
}
