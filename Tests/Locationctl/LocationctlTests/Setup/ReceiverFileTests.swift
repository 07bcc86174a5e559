import Foundation
import TestSupport
import Testing

@testable import LocationctlSupport
@testable import MachineDoctor

/// The file that `locationctl setup` writes, and the reading of its input.
@Suite struct ReceiverFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file() -> ReceiverFile { ReceiverFile(folder: folder.path, SystemRoot(folder.path + "/none")) }

    private func text(_ name: String = "conf.d/10-receiver.toml") -> String? {
        try? String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)
    }

    @Test func itIsWrittenAndUndone() throws {
        var file = file()
        try file.check()
        #expect(file.current == nil)
        let written = try file.write("serial:/dev/serial0")
        #expect(written.path == folder.path + "/conf.d/10-receiver.toml" && !written.isOther)
        #expect(text()?.hasSuffix("discover = true\n[[receiver]]\nsource = \"serial:/dev/serial0\"\n") == true)
        #expect(try file.restore())
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        #expect(throws: Never.self) { _ = try file.restore() }
    }

    @Test func aReceiverMayBeAskedWhoItIs() throws {
        var file = file()
        _ = try file.write("usb:1")
        let before = text() ?? ""
        _ = try file.write("usb:1", isAsked: true)
        #expect(text() == before + "profile = \"auto\"\n" && self.file().current == "usb:1")
        _ = try file.write("usb:1")
        #expect(text() == before)
        #expect(try file.restore() && text() == nil)
    }

    @Test func theFileBeforeComesBack() throws {
        var first = file()
        _ = try first.write("usb:1")
        let before = text()
        var second = file()
        try second.check()
        #expect(second.current == "usb:1")
        _ = try second.write("usb:2")
        #expect(file().current == "usb:2")
        #expect(try second.restore())
        #expect(text() == before)
    }

    /// Its comments and its other receivers would be lost.
    @Test func aFileThatSomebodyElseHasWrittenIsNotReplaced() throws {
        _ = mkdir(folder.path + "/conf.d", 0o755)
        try folder.write("[[receiver]]\nsource = \"gpsd:\"\n", to: "conf.d/10-receiver.toml")
        let error = #expect(throws: Failure.self) { try file().check() }
        #expect(error?.message.contains("was not written by this command") == true)
    }

    @Test func aReceiverThatAnotherFileNamesIsNotWritten() throws {
        try folder.write("[[receiver]]\nsource = \"serial:/dev/ttyS0@4800\"\n", to: "locationd.toml")
        var file = file()
        let written = try file.write("serial:/dev/ttyS0")
        #expect(written.path == folder.path + "/locationd.toml" && written.isOther)
        #expect(text() == nil)
        #expect(try !file.restore())
        #expect(text("locationd.toml") != nil)
    }

    /// Other receivers are searched for as they were before.
    @Test(
        arguments: [
            ("discover = false\n", false), ("[[receiver]]\nsource = \"gpsd:\"\n", false), ("", true),
            ("[[receiver]]\nsource = \"fixed:1,2\"\n", true),
        ])
    func discovery(other: String, isStated: Bool) throws {
        try folder.write(other, to: "locationd.toml")
        var file = file()
        _ = try file.write("usb:1")
        #expect(text()?.contains("discover = true") == isStated)
    }

    @Test func aFolderThatMayNotBeWrittenTo() {
        let file = ReceiverFile(folder: "/proc/self", SystemRoot())
        #expect(throws: Failure.self) { try file.check() }
    }

    @Test func linesOfInput() {
        var input = LineInput()
        #expect(input.next() == nil)
        input.receive(Array("early\nsecond\nrest".utf8))
        #expect(input.next() == nil)
        for expected in ["early", "second"] {
            input.begin(isTerminal: false)
            #expect(input.isWanted && input.next() == expected && !input.isWanted)
        }
        input.begin(isTerminal: false)
        #expect(input.next() == nil && !input.hasEnded)
        input.receive([])
        #expect(input.next() == "rest" && input.hasEnded)
        input.begin(isTerminal: false)
        #expect(input.next() == nil && input.isWanted)
    }

    @Test func aLineWithoutAnEndIsCut() {
        var input = LineInput()
        for _ in 0..<100 { input.receive([UInt8](repeating: 0x61, count: 256)) }
        input.receive([0x0A])
        input.begin(isTerminal: false)
        #expect(input.next()?.utf8.count == 4096)
    }
}
