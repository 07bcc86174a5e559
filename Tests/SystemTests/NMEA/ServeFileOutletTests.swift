import Foundation
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// Locations as NMEA 0183 by a pseudo-terminal and a FIFO, with the real daemon.
@Suite(.timeLimit(.minutes(15))) struct ServeFileOutletTests {
    private func terminal(_ more: String = "") async throws -> (scene: ServingScene, link: String) {
        let scene = try await ServingScene("to = \"pty:FOLDER/tty\"\n\(more)")
        return (scene, scene.folder + "/tty")
    }

    private static let withoutFix = ["$GPRMC,,V,,,,,,,,,,N", "$GPGGA,,,,,,0,00,99.99,,M,,M,,"]

    /// Waits until the reader has a sentence of a fix.
    private func waitForFix(_ reader: SentenceReading, _ scene: ServingScene) async throws {
        let before = reader.text.count
        try await scene.drive("a fix in \(reader.text)") {
            reader.take()
            return reader.text.dropFirst(before).contains(",A,47")
        }
    }

    private func subscriptions(_ scene: ServingScene) async throws -> Int {
        try await scene.daemon.call(GetStatistics.self, Nothing()).statistics.sessions
    }

    @Test func aTerminalIsReadAsAReceiver() async throws {
        let (scene, link) = try await terminal()
        try await scene.waitForLog("there is no decision yet whether the location is passed on")
        #expect(!FileManager.default.fileExists(atPath: link))
        try await scene.grant()
        try await scene.wait(for: link)
        var facts = stat()
        try #require(stat(link, &facts) == 0)
        #expect(facts.st_mode & 0o777 == 0o600 && facts.st_uid == geteuid())
        #expect(try await subscriptions(scene) == 0, "nobody reads")
        var reader: SentenceReading? = try SentenceReading(link, flags: O_RDWR)
        try await eventually("that there is no fix yet") {
            reader?.take()
            return reader?.sentences.prefix(2) == Self.withoutFix[...]
        }
        try await waitForFix(#require(reader), scene)
        // A receiver's settings, and more than a terminal holds: all of it is dropped.
        var taken = 0
        try await eventually("that what is written is read") {
            let count = reader?.write(Array(repeating: UInt8(ascii: "$"), count: 4096)) ?? 0
            taken += max(0, count)
            return taken > 200_000
        }
        try await waitForFix(#require(reader), scene)
        let fixes = reader?.sentences.filter { $0.hasPrefix("$GPRMC") && $0.contains(",A,") } ?? []
        #expect(fixes.allSatisfy { $0.contains(",N,00845.00000,E,") })
        reader = nil
        try await eventually("that nothing is asked for") { try await subscriptions(scene) == 0 }
        // The next reader gets nothing of the last one's leftovers.
        let next = try SentenceReading(link)
        try await eventually("that there is no fix yet for the next: \(next.text)") {
            next.take()
            return next.sentences.count >= 2
        }
        #expect(next.sentences.prefix(2) == Self.withoutFix[...])
        try await waitForFix(next, scene)
        scene.program.signal(SIGTERM)
        #expect(try await scene.program.end().status == 0)
        #expect(!FileManager.default.fileExists(atPath: link))
        #expect(!scene.program.errors.contains("47."), "the log has a position")
    }

    /// Attack: a program keeps the terminal open over a revocation, to read on after the next grant, or when the terminal
    /// belongs to another user.
    @Test func aRevocationEndsWhatIsOpen() async throws {
        let (scene, link) = try await terminal()
        try await scene.grant()
        try await scene.wait(for: link)
        let reader = try SentenceReading(link)
        try await waitForFix(reader, scene)
        try await scene.revoke()
        try await eventually("the end") {
            reader.take()
            return reader.hasEnded
        }
        try await scene.wait(for: link, isThere: false)
        try await scene.grant()
        try await scene.wait(for: link)
        let next = try SentenceReading(link)
        let before = reader.text
        try await waitForFix(next, scene)
        reader.take()
        #expect(reader.text == before && reader.hasEnded)
        // Switching location services off ends it too, and switching them on restores it.
        _ = try await scene.daemon.ctl("disable")
        try await eventually("the end when services are off: \(scene.program.errors)") {
            next.take()
            return next.hasEnded
        }
        try await scene.wait(for: link, isThere: false)
        _ = try await scene.daemon.ctl("enable")
        try await scene.wait(for: link)
    }

    /// With reduced accuracy, sentences only have the values of a reduced location, whatever is configured.
    @Test func reducedAccuracy() async throws {
        let all = "\"RMC\", \"GGA\", \"GLL\", \"VTG\", \"GSA\", \"GSV\", \"GST\", \"ZDA\""
        let (scene, link) = try await terminal("sentences = [\(all)]\ntalker = \"GN\"\n")
        try await scene.grant()
        try await scene.wait(for: link)
        let reader = try SentenceReading(link)
        try await waitForFix(reader, scene)
        try await scene.drive("each sentence") {
            reader.take()
            return Set(reader.sentences.map { $0.dropFirst(3).prefix(3) }).count == 8
        }
        #expect(reader.sentences.allSatisfy { $0.hasPrefix("$GN") })
        try await scene.grant("--reduced")
        // It comes at once, and then at most four times an hour.
        var latest: [String] = []
        try await scene.drive("the reduced location", from: 100) {
            reader.take()
            latest = reader.sentences.suffix(2)
            return latest.first?.hasPrefix("$GNRMC,") == true && latest.last?.hasPrefix("$GNGGA,") == true
        }
        let place = try #require(latest.first)
        #expect(place.contains(",A,") && !place.contains(",00845.00000,"), "\(place)")
        #expect(place.hasSuffix(",A") && latest.last?.hasSuffix(",,M,,M,,") == true, "no speed, course or altitude")
    }

    @Test func theLossOfTheReceiverIsSeen() async throws {
        let (scene, link) = try await terminal()
        try await scene.grant()
        try await scene.wait(for: link)
        let reader = try SentenceReading(link)
        try await waitForFix(reader, scene)
        scene.wire.unplug()
        let count = reader.sentences.count
        try await eventually("sentences without a fix") {
            reader.take()
            return reader.sentences.count >= count + 4 && reader.sentences.suffix(2) == Self.withoutFix[...]
        }
        try await scene.daemon.kill()
        let before = reader.sentences.count
        try await eventually("sentences without a fix from nobody") {
            reader.take()
            return reader.sentences.count >= before + 2
        }
        #expect(reader.sentences.suffix(2) == Self.withoutFix[...])
    }

    /// Attack: a reader opens the terminal and takes nothing. It loses sentences, but no part of one.
    @Test func aReaderThatDoesNotRead() async throws {
        let (scene, link) = try await terminal()
        try await scene.grant()
        try await scene.wait(for: link)
        let reader = try SentenceReading(link)
        try await waitForFix(reader, scene)
        let app = try await scene.daemon.ctlApp()
        _ = try await scene.daemon.ctl("grant", app)
        let watch = try scene.daemon.startCtl("watch", "--json")
        // A terminal holds less than 100 of them.
        try await scene.drive("300 locations of another app") { watch.lines.count >= 300 }
        let newest = try await scene.daemon.call(GetStatistics.self, Nothing())
        #expect(newest.statistics.sessions == 2)
        try await scene.drive("the newest", from: 1000) {
            reader.take()
            return reader.text.contains("GPRMC,1217") || reader.text.contains("GPRMC,1216")
        }
        #expect(reader.sentences.count < 600)
    }

    /// Attack: a reader writes without end, and the program spends the processor on reading it.
    @Test func aReaderThatWritesWithoutEnd() async throws {
        let (scene, link) = try await terminal()
        try await scene.grant()
        try await scene.wait(for: link)
        let reader = try SentenceReading(link, flags: O_RDWR)
        try await waitForFix(reader, scene)
        let bytes = Array(repeating: UInt8(ascii: "$"), count: 4096)
        let (clock, began) = (ContinuousClock(), ContinuousClock.now)
        var taken = 0
        while began.duration(to: clock.now) < .seconds(3) { taken += max(0, reader.write(bytes)) }
        // 131,072 bytes a second, twice that at once, and the buffer of a terminal.
        let most = 131_072 * (began.duration(to: clock.now) / .seconds(1) + 2) + 200_000
        #expect(Double(taken) < most)
        try await waitForFix(reader, scene)
    }

    /// A real gpsd reads the terminal, as it reads a receiver.
    @Test(.enabled(if: GPSDaemon.isInstalled, "needs gpsd")) func gpsdReadsTheTerminal() async throws {
        let (scene, link) = try await terminal("sentences = [\"RMC\", \"GGA\", \"GSA\"]\n")
        try await scene.grant()
        try await scene.wait(for: link)
        let port = try ReservedPort()
        let gpsd = try GPSDaemon(on: port, paths: [link])
        var pipe: RunningProgram?
        try await scene.drive("a fix from gpsd: \(pipe?.errors ?? "")") {
            // It ends if gpsd does not listen yet.
            if pipe?.hasEnded != false {
                pipe = try RunningProgram("/usr/bin/gpspipe", ["-w", "127.0.0.1:\(port.number)"])
            }
            return pipe?.lines.contains { $0.contains("\"class\":\"TPV\"") && $0.contains("\"lat\":47.") } == true
        }
        withExtendedLifetime(gpsd) {}
    }

    /// Attack: a program opens the terminal and takes nothing. Accuracy is reduced, and another program of its owner
    /// opens the terminal to read sentences with full accuracy.
    @Test(arguments: ["pty", "fifo"]) func whatWaitsIsDroppedWhenAccuracyIsReduced(kind: String) async throws {
        let scene = try await ServingScene("to = \"\(kind):FOLDER/file\"\n")
        let path = scene.folder + "/file"
        try await scene.grant()
        try await scene.waitForServing(path)
        let reader = try SentenceReading(path)
        try await waitForFix(reader, scene)
        let app = try await scene.daemon.ctlApp()
        _ = try await scene.daemon.ctl("grant", app)
        let watch = try scene.daemon.startCtl("watch", "--json")
        try await scene.drive("locations that nobody reads", from: 100) { watch.lines.count >= 10 }
        try await scene.grant("--reduced")
        try await scene.waitForLog("accuracy is now reduced")
        let thief = try SentenceReading(path)
        try await scene.drive("the reduced location", from: 200) {
            thief.take()
            return thief.text.contains(",A,47")
        }
        #expect(!thief.text.contains(",00845.00000,"), "\(thief.text)")
        withExtendedLifetime(reader) {}
    }

    /// Attack: a program leaves the terminal without reading, and the next one gets the sentences of an hour ago.
    @Test func whatIsLeftUnreadIsDropped() async throws {
        let (scene, link) = try await terminal()
        try await scene.grant()
        try await scene.wait(for: link)
        let app = try await scene.daemon.ctlApp()
        _ = try await scene.daemon.ctl("grant", app)
        var reader: SentenceReading? = try SentenceReading(link)
        try await eventually("a subscription") { try await subscriptions(scene) == 1 }
        let watch = try scene.daemon.startCtl("watch", "--json")
        try await scene.drive("locations that nobody reads") { watch.lines.count >= 10 }
        withExtendedLifetime(reader) {}
        reader = nil
        try await eventually("that only one subscription is left") { try await subscriptions(scene) == 1 }
        let next = try SentenceReading(link)
        try await scene.drive("a fix", from: 1000) {
            next.take()
            return next.text.contains(",A,47")
        }
        let times = next.sentences.filter { $0.hasPrefix("$GPRMC,1") }.map { $0.dropFirst(7).prefix(4) }
        // The daemon's latest location may be one of before.
        #expect(!times.isEmpty && times.count { $0 < "1216" } < 2, "\(times)")
    }

    /// Attack: a program leaves the terminal in exclusive use, or with a line discipline that reads nothing. The next
    /// one of its owner could not use it.
    @Test(arguments: [true, false]) func aTerminalIsLeftUnusable(isExclusive: Bool) async throws {
        let (scene, link) = try await terminal()
        try await scene.grant()
        try await scene.wait(for: link)
        let hostile = open(link, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        try #require(hostile >= 0)
        // N_NULL of linux/tty.h.
        var discipline: CInt = 27
        try #require(
            (isExclusive ? ioctl(hostile, UInt(TIOCEXCL)) : ioctl(hostile, UInt(TIOCSETD), &discipline)) == 0)
        try await eventually("a subscription") { try await subscriptions(scene) == 1 }
        close(hostile)
        try await eventually("a terminal that can be used") { isPristine(link) }
        let reader = try SentenceReading(link)
        try await waitForFix(reader, scene)
    }

    /// Returns whether a terminal is not in exclusive use and has the line discipline of a terminal.
    private func isPristine(_ link: String) -> Bool {
        let descriptor = open(link, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var (exclusive, discipline): (CInt, CInt) = (1, -1)
        // TIOCGEXCL of asm-generic/ioctls.h, a macro that Swift does not see.
        return ioctl(descriptor, 0x8004_5440, &exclusive) == 0 && exclusive == 0
            && ioctl(descriptor, UInt(TIOCGETD), &discipline) == 0 && discipline == 0
    }

    // MARK: Files

    @Test func aFIFOIsReadByAProgram() async throws {
        let scene = try await ServingScene("to = \"fifo:FOLDER/fifo\"\nsentences = [\"GLL\"]\n")
        let path = scene.folder + "/fifo"
        try await scene.grant()
        try await scene.wait(for: path)
        #expect(try await subscriptions(scene) == 0, "nobody reads")
        // It opens the FIFO as cat does, which waits for a writer.
        let cat = try RunningProgram("/usr/bin/cat", [path])
        try await scene.drive("a fix") { cat.lines.contains { $0.hasPrefix("$GPGLL,47") } }
        #expect(cat.lines.first?.hasPrefix("$GPGLL,,,,,,V,N*") == true)
        cat.signal(SIGTERM)
        _ = try await cat.end()
        try await eventually("that nothing is asked for") { try await subscriptions(scene) == 0 }
        let next = try RunningProgram("/usr/bin/cat", [path])
        try await scene.drive("a fix") { next.lines.contains { $0.hasPrefix("$GPGLL,47") } }
        try await scene.revoke()
        #expect(try await next.end().status == 0, "it reads the end")
        try await scene.wait(for: path, isThere: false)
    }

    /// Attack: a user who may write to the folder replaces the FIFO with a link or another FIFO.
    @Test(arguments: [true, false]) func aFIFOThatIsReplaced(isLink: Bool) async throws {
        let scene = try await ServingScene("to = \"fifo:FOLDER/fifo\"\n")
        let path = scene.folder + "/fifo"
        let other = try scene.app.folder.write("", to: "other")
        try await scene.grant()
        try await scene.waitForServing(path)
        try #require(rename(path, path + ".moved") == 0)
        if isLink {
            try #require(symlink(other, path) == 0)
        } else {
            try #require(mkfifo(path, 0o666) == 0)
        }
        let thief = try SentenceReading(path)
        let reader = try SentenceReading(path + ".moved")
        try await waitForFix(reader, scene)
        thief.take()
        #expect(thief.text.isEmpty)
        try await scene.revoke()
        try await eventually("the end") {
            reader.take()
            return reader.hasEnded
        }
        thief.take()
        #expect(thief.text.isEmpty)
        // It is not this program's, and stays.
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(try String(contentsOfFile: other, encoding: .utf8).isEmpty)
    }

    /// A file of another program is not replaced, and the reason is said once.
    @Test(arguments: ["pty", "fifo"]) func anotherFileIsLeftAlone(kind: String) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("precious", to: "file")
        let scene = try await ServingScene("to = \"\(kind):\(path)\"\n")
        try await scene.grant()
        try await scene.waitForLog(": another program has made it; trying again")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
        try #require(unlink(path) == 0)
        try await scene.wait(for: path)
    }

    /// The terminal and the FIFO belong to their owner alone. To give them away needs a permission.
    @Test(arguments: ["pty", "fifo"]) func theOwner(kind: String) async throws {
        let owner: uid_t = 65_534
        let configuration = "to = \"\(kind):FOLDER/file\"\nowner = \"\(owner)\"\n"
        guard geteuid() == 0 else {
            let scene = try await ServingScene(configuration)
            try await scene.grant()
            return try await scene.waitForLog("this needs CAP_CHOWN")
        }
        // As in the unit: only the owner may read the file, not even the program itself.
        let scene = try await ServingScene(configuration, as: 65_533)
        // A user without a name is known while a program of theirs is connected.
        try await scene.waitForLog("there is no decision yet")
        try await scene.grant()
        let path = scene.folder + "/file"
        try await scene.waitForServing(path)
        var facts = stat()
        try #require(stat(path, &facts) == 0)
        #expect(facts.st_uid == owner && facts.st_mode & 0o777 == (kind == "pty" ? 0o600 : 0o460))
        let reader = try SentenceReading(path)
        try await waitForFix(reader, scene)
    }
}
