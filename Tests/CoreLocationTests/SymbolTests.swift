import CoreLocation
import Testing

/// The module as apps see it, from outside of its package.
@Suite struct SymbolTests {
    /// See Symbols/symbols.py: one use of each symbol compiles in Swift 5 and in Swift 6 mode, deprecated ones warn,
    /// and what Apple's types are not does not compile.
    @Test func everySymbolIsAsListed() async throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Symbols/symbols.py")
        // Beside the test runner, where the build puts the modules too.
        let modules = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "Modules")
        let output = FileManager.default.temporaryDirectory.appending(path: "symbols-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: output) }
        try Data().write(to: output)
        let handle = try FileHandle(forWritingTo: output)

        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script.path, modules.path]
        process.standardOutput = handle
        process.standardError = handle
        // Waited for without a thread: the compiler takes seconds.
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in continuation.resume() }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        let text = try String(contentsOf: output, encoding: .utf8)
        #expect(process.terminationStatus == 0, "\(text.suffix(4000))")
    }
}
