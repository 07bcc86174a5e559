import CoreLocation
import Foundation
import TestSupport
import Testing

/// The module as apps see it, from outside its package.
@Suite struct SymbolTests {
    private let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private var script: String { folder.appending(path: "Symbols/symbols.py").path }

    /// See Symbols/symbols.py: one use of each symbol compiles in Swift 5 and in Swift 6 mode, deprecated symbols
    /// cause warnings, and uses that Apple's types do not allow fail to compile.
    @Test func everySymbolIsAsListed() async throws {
        // The folder of the test runner, where the build puts the modules too.
        let modules = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "Modules")
        let program = try RunningProgram("/usr/bin/env", ["python3", script, modules.path])
        // The compiler runs six times, beside other tests.
        try await eventually("the end of the compiler", seconds: 600) { program.hasEnded }
        let result = try await program.end()
        #expect(result.status == 0, "\((result.output + result.errors).suffix(4000))")
    }

    /// `make symbol-page` writes the page again.
    @Test func thePageAboutTheSymbolsIsMadeFromTheList() async throws {
        let result = try await Program.run("/usr/bin/env", ["python3", script, "--page"])
        #expect(result.status == 0, "\(result.errors)")
        let page = folder.appending(path: "../../../Sources/Client/CoreLocation/CoreLocation.docc/SymbolBySymbol.md")
        let isSame = try String(contentsOf: page, encoding: .utf8) == result.output
        #expect(isSame, "run `make symbol-page`")
    }
}
