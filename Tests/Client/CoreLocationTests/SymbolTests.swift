import CoreLocation
import Foundation
import TestSupport
import Testing

/// The module as apps see it, from outside its package.
@Suite struct SymbolTests {
    /// See Symbols/symbols.py: one use of each symbol compiles in Swift 5 and in Swift 6 mode, deprecated symbols
    /// cause warnings, and uses that Apple's types do not allow fail to compile.
    @Test func everySymbolIsAsListed() async throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Symbols/symbols.py")
        // The folder of the test runner, where the build puts the modules too.
        let modules = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "Modules")
        let program = try RunningProgram("/usr/bin/env", ["python3", script.path, modules.path])
        // The compiler runs six times, beside other tests.
        try await eventually("the end of the compiler", seconds: 600) { program.hasEnded }
        let result = try await program.end()
        #expect(result.status == 0, "\((result.output + result.errors).suffix(4000))")
    }
}
