import Glibc
import Testing

/// A directory with a short path, since a socket's path has at most 107 bytes; removed afterwards.
func withTemporaryDirectory<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    var template = Array("/tmp/varlink-XXXXXX".utf8CString)
    let directory = try #require(mkdtemp(&template).map { String(cString: $0) })
    defer {
        for name in ["socket", "other", "file"] { unlink("\(directory)/\(name)") }
        rmdir(directory)
    }
    return try await body(directory)
}

/// Waits until `condition` holds, and fails the test when it does not within ten seconds.
func eventually(
    _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + .seconds(10)
    while try await !condition() {
        guard ContinuousClock.now < deadline else {
            Issue.record(what, sourceLocation: sourceLocation)
            return
        }
        try await Task.sleep(for: .milliseconds(1))
    }
}

/// The bytes of `text` and the NUL that ends a frame.
func frame(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

/// SplitMix64: the same numbers from the same seed.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
