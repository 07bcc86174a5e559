import CoreLocation
import Foundation
import TestSupport
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
        let result = try await Program.run("/usr/bin/env", ["python3", script.path, modules.path])
        #expect(result.status == 0, "\((result.output + result.errors).suffix(4000))")
    }
}
