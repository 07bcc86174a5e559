import GPX

/// Reading of GPX files.
enum GPXFile {
    /// Reads the places of the file at `path`. An error names the file and the line.
    static func places(in path: String) throws(ReceiverFailure) -> [Route.Place] {
        let file = try InputFile.open(path)
        var reader = GPXReader()
        var block = [UInt8](repeating: 0, count: 65536)
        while case let count = try file.read(into: &block), count > 0 {
            do throws(GPXReader.Failure) { try reader.read(block.span.extracting(first: count)) } catch {
                throw failure(error, in: path)
            }
        }
        do throws(GPXReader.Failure) { return try reader.finish() } catch { throw failure(error, in: path) }
    }

    private static func failure(_ failure: GPXReader.Failure, in path: String) -> ReceiverFailure {
        ReceiverFailure(.unusable, "\(path):\(failure.line): \(failure.message)")
    }
}
