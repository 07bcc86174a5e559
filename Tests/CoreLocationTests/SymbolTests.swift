import CoreLocation
import Testing

/// The module as apps see it, from outside of its package.
@Suite struct SymbolTests {
    /// See Symbols/symbols.py: one use of each symbol compiles in Swift 5 and in Swift 6 mode, deprecated ones warn,
    /// and what Apple's types are not does not compile.
    @Test func everySymbolIsAsListed() throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Symbols/symbols.py")
        // Beside the test runner, where the build puts the modules too.
        let modules = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "Modules")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script.path, modules.path]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text.suffix(4000))")
    }
}
