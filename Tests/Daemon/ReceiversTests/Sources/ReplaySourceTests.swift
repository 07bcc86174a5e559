import Foundation
import LocationModel
import NIOCore
import NIOEmbedded
import NMEA
import SentenceWriting
import TestSupport
import Testing

@testable import Receivers

/// Replays on an event loop whose time the test controls.
struct ReplaySourceTests {
    @Test(arguments: [1.0, 2, 0.5, 1000, 10_000])
    func fixesComeAtThePaceOfTheRecording(speed: Double) throws {
        let directory = try TemporaryFolder()
        let journey = Journey(count: 100)
        let player = ReplayPlayer(try directory.log(journey.bytes), speed: speed)
        player.receiver.start()
        player.loop.advanceTime(by: .seconds(300))
        #expect(player.fixes.map(\.fix.location.timestamp) == journey.timestamps)
        for (index, fix) in player.fixes.enumerated() {
            #expect(abs(fix.seconds - Double(index) / speed) < 1e-6)
        }
        #expect(player.events.first?.event == .found)
        #expect(player.receiver.state == .lost(player.ended))
    }

    @Test func theProgressIsTheShareThatWasPlayed() throws {
        let directory = try TemporaryFolder()
        let player = ReplayPlayer(try directory.log(Journey(count: 100).bytes), speed: 1)
        #expect(player.receiver.status.progress == nil)
        player.receiver.start()
        player.loop.advanceTime(by: .seconds(50))
        #expect(abs(try #require(player.receiver.status.progress) - 0.5) < 0.05)
        player.receiver.stop()
        player.receiver.start()
        player.loop.advanceTime(by: .seconds(25))
        #expect(abs(try #require(player.receiver.status.progress) - 0.75) < 0.05)
        player.loop.advanceTime(by: .seconds(50))
        #expect(player.receiver.status.progress == nil)
    }

    @Test func aPauseOfMoreThan10SIsCutToThat() throws {
        let directory = try TemporaryFolder()
        let later = Timestamp(millisecondsSince1970: Journey.departure.millisecondsSince1970 + 86_400_000)
        let log = Journey(count: 5).bytes + Journey(count: 5, departure: later).bytes
        let player = ReplayPlayer(try directory.log(log), speed: 1)
        player.receiver.start()
        player.loop.advanceTime(by: .seconds(60))
        #expect(player.fixes.map { $0.seconds.rounded() } == [0, 1, 2, 3, 4, 14, 15, 16, 17, 18])
    }

    @Test func atTheEndItIsLostNotRetriedAndCanBeStartedAnew() throws {
        let directory = try TemporaryFolder()
        let player = ReplayPlayer(try directory.log(Journey(count: 3).bytes), speed: 1)
        player.receiver.start()
        player.loop.advanceTime(by: .seconds(3600))
        #expect(player.events.count == 5)
        #expect(player.events.last?.event.failure?.reason == .ended)
        #expect(player.receiver.status.statistics.nmea?.sentences == 30)
        player.receiver.stop()
        #expect(player.receiver.state == .stopped)
        player.receiver.start()
        player.loop.advanceTime(by: .seconds(3600))
        #expect(player.fixes.count == 6)
    }

    @Test func stoppedInBetweenItGivesNoMore() throws {
        let directory = try TemporaryFolder()
        let player = ReplayPlayer(try directory.log(Journey(count: 10).bytes), speed: 1)
        player.receiver.start()
        player.loop.advanceTime(by: .seconds(3))
        let count = player.events.count
        player.receiver.stop()
        player.loop.advanceTime(by: .seconds(3600))
        #expect(player.events.count == count)
        #expect(player.receiver.status.satellites.isEmpty)
    }

    @Test func aLogWithoutAUsableFixEndsAndLetsOthersHaveTheEventLoopMeanwhile() throws {
        let directory = try TemporaryFolder()
        var log = SentenceWriter()
        for _ in 0..<100_000 { log.add("GPGGA,120000.00,,,,,0,00,99.99,,,,,,") }
        let player = ReplayPlayer(try directory.log(log.bytes), speed: 1)
        player.receiver.start()
        var turns = 0
        while player.receiver.state == .waitingForFix {
            player.loop.run()
            turns += 1
        }
        #expect(player.receiver.state == .lost(player.ended))
        #expect(player.events.count == 1)
        #expect(player.receiver.status.statistics.nmea?.sentences == 100_000)
        #expect(turns > 0)
    }

    @Test func aFileThatIsMissingIsRetried() throws {
        let directory = try TemporaryFolder()
        let player = ReplayPlayer("\(directory.path)/log.nmea", speed: 1)
        player.receiver.start()
        #expect(player.events.last?.event.failure?.reason == .missing)
        _ = try directory.log(Journey(count: 1).bytes)
        player.loop.advanceTime(by: .seconds(1))
        #expect(player.fixes.count == 1)
    }

    @Test func aFolderIsNotOpened() throws {
        let directory = try TemporaryFolder()
        let player = ReplayPlayer(directory.path, speed: 1)
        player.receiver.start()
        #expect(player.events.last?.event.failure?.reason == .unusable)
    }

    /// Each retry kept a descriptor, until the daemon had none left for its apps.
    @Test func aFileThatCannotBePlayedKeepsNoDescriptor() throws {
        let directory = try TemporaryFolder()
        let pipe = directory.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        for path in [directory.path, pipe] {
            let player = ReplayPlayer(path, speed: 1)
            player.receiver.start()
            player.loop.advanceTime(by: .minutes(5))
            #expect(player.events.last?.event.failure?.reason == .unusable)
            // Tests that run at the same time have descriptors of their own.
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
            }
            #expect(open.isEmpty)
        }
    }
}
