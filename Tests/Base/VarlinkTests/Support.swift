import TestSupport

/// Calls `body` with a temporary folder, which is removed afterwards.
func withTemporaryDirectory<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    return try await body(folder.path)
}

/// Returns the bytes of `text`, and the NUL that ends a frame.
func frame(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }
