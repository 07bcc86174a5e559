import Foundation
import PeerIdentity
import TestSupport
import Testing

/// Paths that a user writes, with real files.
@Suite struct ProgramFileTests {
    private let folder: TemporaryFolder
    /// The path of the folder without links, as the kernel writes it.
    private var path: String { URL(filePath: folder.path).resolvingSymlinksInPath().path(percentEncoded: false) }

    init() throws {
        folder = try TemporaryFolder()
    }

    @discardableResult
    private func write(_ name: String, _ content: String = "\u{7F}ELF", mode: Int = 0o755) throws -> String {
        let file = "\(path)/\(name)"
        try content.write(toFile: file, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        return file
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: target)
    }

    @Test func aProgramIsKnownByThePathWithoutLinks() throws {
        let file = try write("python3.11")
        try link("python3", to: "python3.11")
        try link("python", to: "python3")
        try link("bin", to: ".")
        for name in ["python3.11", "python3", "python", "bin/python", "./python3", "/python3"] {
            #expect(ProgramFile(at: "\(path)/\(name)") == .program(path: file, isExecutable: true), "\(name)")
        }
        let data = try write("data", "text", mode: 0o644)
        #expect(ProgramFile(at: data) == .program(path: data, isExecutable: false))
    }

    @Test func aScriptIsItsInterpreter() throws {
        let shell = URL(filePath: "/bin/sh").resolvingSymlinksInPath().path(percentEncoded: false)
        for line in ["#!/bin/sh", "#! /bin/sh -e", "#!/usr/bin/env sh", "#!/usr/bin/env -S FOO=1 sh -e"] {
            let file = try write("script", line + "\necho\n")
            #expect(ProgramFile(at: file) == .script(path: file, interpreter: shell), "\(line)")
        }
        for line in ["#!", "#!/nonexistent/shell", "#!/usr/bin/env"] {
            let file = try write("script", line + "\n")
            #expect(ProgramFile(at: file) == .script(path: file, interpreter: nil), "\(line)")
        }
    }

    @Test func whatCannotRun() throws {
        #expect(ProgramFile(at: path) == .folder)
        #expect(ProgramFile(at: "/dev/null") == .special)
        // A FIFO without a writer does not block.
        #expect(mkfifo("\(path)/fifo", 0o755) == 0)
        #expect(ProgramFile(at: "\(path)/fifo") == .special)
        try link("loop", to: "loop")
        guard case .unreadable = ProgramFile(at: "\(path)/loop") else {
            Issue.record("a loop of links")
            return
        }
    }

    /// The kernel compares names as bytes, and a user cannot see these differences.
    @Test(arguments: [
        ("caf\u{E9}", "cafe\u{301}"), ("cafe\u{301}", "caf\u{E9}"), ("foo", "foo "), ("foo", " foo"), ("foo ", "foo"),
        ("foo", "foo (deleted)"), ("foo", "foo/"),
    ])
    func aLookalikeIsFound(name: String, typed: String) throws {
        let file = try write(name)
        guard case .missing(let lookalike?) = ProgramFile(at: "\(path)/\(typed)") else {
            Issue.record("no lookalike")
            return
        }
        #expect(Array(lookalike.utf8) == Array(file.utf8))
    }

    @Test func aFileThatIsNotThere() throws {
        try write("foo")
        for name in ["bar", "Foo", "foo/bar", "nonexistent/foo"] {
            #expect(ProgramFile(at: "\(path)/\(name)") == .missing(lookalike: nil), "\(name)")
        }
    }
}
