import LocationModel
import NIOCore
import NIOEmbedded
import NMEA
import SentenceWriting
import TestSupport
import Testing

@testable import Receivers

/// A recording that continues while it is closed, and its headings.
struct ReplayPauseTests {
    private func seconds(_ fixes: [(seconds: Double, fix: Fix)]) -> [(due: Double, recorded: Double)] {
        fixes.map { ($0.seconds, $0.fix.location.timestamp.seconds(since: Journey.departure)) }
    }

    @Test(arguments: [1.0, 2, 0.5])
    func openedAgainItIsWhereItWouldHaveComeToByThen(speed: Double) throws {
        let directory = try TemporaryFolder()
        let player = ReplayPlayer(try directory.log(Journey(count: 600).bytes), speed: speed)
        #expect(player.receiver.timeScale == speed)
        player.receiver.start()
        player.loop.advanceTime(by: .milliseconds(20_200))
        player.pause(seconds: 100)
        player.loop.advanceTime(by: .milliseconds(20_200))
        player.pause(seconds: 0)
        player.loop.advanceTime(by: .seconds(10))
        let fixes = seconds(player.fixes)
        #expect(fixes.allSatisfy { abs($0.due * speed - $0.recorded) < 1e-6 })
        // Only the fixes during the pause are left out, and none is repeated.
        let expected = (0..<600).map(Double.init).filter {
            let due = $0 / speed
            return due <= 20.2 || (120.2...150.4).contains(due)
        }
        #expect(fixes.map(\.recorded) == expected)
        #expect(player.events.count { $0.event == .found } == 3)
    }

    @Test func aPauseOfTheRecordingThatPassedWhileItWasClosedWasCutAsWell() throws {
        let directory = try TemporaryFolder()
        let later = Timestamp(millisecondsSince1970: Journey.departure.millisecondsSince1970 + 86_400_000)
        let log = Journey(count: 5).bytes + Journey(count: 20, departure: later).bytes
        let player = ReplayPlayer(try directory.log(log))
        player.receiver.start()
        player.loop.advanceTime(by: .milliseconds(2500))
        player.pause(seconds: 15)
        player.loop.advanceTime(by: .seconds(60))
        #expect(player.fixes.map { $0.seconds.rounded() } == [0, 1, 2] + (18...33).map(Double.init))
    }

    @Test func anEndThatPassedWhileItWasClosedIsToldFirst() throws {
        let directory = try TemporaryFolder()
        let player = ReplayPlayer(try directory.log(Journey(count: 10).bytes))
        player.receiver.start()
        player.loop.advanceTime(by: .milliseconds(4500))
        player.pause(seconds: 60)
        player.loop.run()
        #expect(player.fixes.count == 5)
        #expect(player.events.last?.event == .lost(player.ended))
        #expect(player.receiver.state == .lost(player.ended))

        player.pause(seconds: 60)
        player.loop.advanceTime(by: .seconds(60))
        #expect(player.fixes.count == 15)
        #expect(player.fixes[5].fix.location.timestamp == Journey.departure)
        #expect(player.events.last?.event == .lost(player.ended))
    }

    @Test func aFixWhoseMomentHasNotQuitePassedIsGiven() throws {
        let directory = try TemporaryFolder()
        let player = ReplayPlayer(try directory.log(Journey(count: 5).bytes))
        player.receiver.start()
        player.loop.advanceTime(by: .milliseconds(500))
        player.receiver.stop()
        player.loop.advanceTime(by: .milliseconds(1500))
        player.receiver.start()
        player.loop.run()
        #expect(seconds(player.fixes).map(\.recorded) == [0, 2])
        #expect(seconds(player.fixes).map(\.due) == [0, 2])
    }

    @Test func theHandlerMayCloseAndOpenItFromWithin() throws {
        let directory = try TemporaryFolder()
        let player = ReplayPlayer(try directory.log(Journey(count: 30).bytes))
        let record = player.handler.onEvent
        player.handler.onEvent = { [unowned player] event in
            record(event)
            guard event.fix != nil else { return }
            player.receiver.stop()
            player.receiver.start()
        }
        player.receiver.start()
        player.loop.advanceTime(by: .seconds(100))
        #expect(seconds(player.fixes).map(\.recorded) == (0..<30).map(Double.init))
        player.handler.onEvent = { _ in }
    }

    @Test func closedItHoldsNoFileAndShowsNoSatellites() throws {
        let directory = try TemporaryFolder()
        let player = ReplayPlayer(try directory.log(Journey(count: 200).bytes))
        player.receiver.start()
        player.loop.advanceTime(by: .seconds(10))
        #expect(player.receiver.status.satellites.count == 15)
        player.receiver.stop()
        #expect(player.receiver.status.satellites.isEmpty)
        // If the file is missing at the next opening, that is reported. When the file is back, the replay goes on at
        // its current place.
        let bytes = Journey(count: 200).bytes
        try directory.remove("log.nmea")
        player.receiver.start()
        #expect(player.events.last?.event.failure?.reason == .missing)
        _ = try directory.log(bytes)
        player.loop.advanceTime(by: .seconds(10))
        let fixes = seconds(player.fixes)
        #expect(fixes.allSatisfy { $0.due == $0.recorded })
        #expect(fixes.count == 21)
    }

    @Test func muchThatHasPassedIsPassedOverInTurns() throws {
        let directory = try TemporaryFolder()
        var log = SentenceWriter()
        for second in 0..<40_000 {
            let time = Timestamp(
                millisecondsSince1970: Journey.departure.millisecondsSince1970 + Int64(second) * 1000)
            log.add("GPRMC,\(SentenceWriter.time(time)),A,1,N,1,E,0,0,\(SentenceWriter.date(time)),,,A")
        }
        let player = ReplayPlayer(try directory.log(log.bytes))
        player.receiver.start()
        player.loop.advanceTime(by: .seconds(1))
        let before = player.receiver.status.statistics.nmea?.sentences ?? 0
        player.pause(seconds: 30_000)
        // One turn reads one block of 16 kB.
        var turns = 0
        func takeTurn() {
            turns += 1
            if player.fixes.count == 2, turns < 1000 { player.loop.execute(takeTurn) }
        }
        takeTurn()
        player.loop.run()
        #expect(before < 400)
        #expect(turns > 50)
        #expect(player.fixes.count == 3)
        let last = try #require(seconds(player.fixes).last)
        #expect(last == (30_001, 30_001))
    }

    @Test func headingsAreSpreadBetweenTheFixes() throws {
        let directory = try TemporaryFolder()
        var first = SentenceWriter()
        first.add("HCHDG,1,,,2,E")
        var log = first.bytes
        let journey = Journey(count: 10)
        for (second, epoch) in journey.epochs.enumerated() {
            var headings = SentenceWriter()
            for number in 1...4 { headings.add("HCHDM,\(second)\(number),M") }
            log += epoch + headings.bytes
        }
        let player = ReplayPlayer(try directory.log(log), speed: 2)
        player.receiver.start()
        player.loop.advanceTime(by: .seconds(10))
        let told = player.headings
        let numbers = (0..<10).flatMap { second in (1...4).map { second * 10 + $0 } }
        #expect(told.map { Int($0.heading.magneticHeading ?? -1) } == [1] + numbers)
        #expect(told.allSatisfy { $0.heading.trueHeading == ($0.heading.magneticHeading ?? 0) + 2 })
        #expect(told.map(\.seconds) == told.map(\.seconds).sorted())
        // Before the first fix, the machine's time is used.
        #expect(told.first?.heading.timestamp == ReplayPlayer.clock)
        // Once the decoder has learned the end of an epoch, headings come in half the time that it took to record
        // them.
        for (seconds, heading) in told {
            let (second, number) = Int(heading.magneticHeading ?? 0).quotientAndRemainder(dividingBy: 10)
            guard (5..<9).contains(second) else { continue }
            #expect(abs(seconds - (Double(second) + Double(number) / 5) / 2) < 1e-6)
            #expect(heading.timestamp == journey.timestamps[second])
        }
        // After the last fix, there is nothing to wait for.
        #expect(told.suffix(4).allSatisfy { $0.seconds == 4.5 })
        #expect(player.receiver.hasCompass == true)
        #expect(player.events.last?.event == .lost(player.ended))
    }

    @Test func aReceiverThatReportsNoHeadingForTenSecondsHasNoCompass() throws {
        let directory = try TemporaryFolder()
        let player = ReplayPlayer(try directory.log(Array(Journey(count: 20).epochs.joined())))
        #expect(player.receiver.hasCompass == nil)
        player.receiver.start()
        player.loop.advanceTime(by: .seconds(9))
        #expect(player.fixes.count > 5)
        #expect(player.receiver.hasCompass == nil)
        player.loop.advanceTime(by: .seconds(3))
        #expect(player.receiver.hasCompass == false)
        player.receiver.stop()
        #expect(player.receiver.hasCompass == false)
    }

    @Test func aRecordingOfACompassAloneIsGivenWhole() throws {
        let directory = try TemporaryFolder()
        var log = SentenceWriter()
        for index in 0..<1000 { log.add("HCHDM,\(index % 360),M") }
        let player = ReplayPlayer(try directory.log(log.bytes))
        player.receiver.start()
        player.loop.advanceTime(by: .seconds(1))
        #expect(player.headings.map { $0.heading.magneticHeading ?? -1 } == (0..<1000).map { Double($0 % 360) })
        #expect(player.receiver.state == .lost(player.ended))
    }
}
