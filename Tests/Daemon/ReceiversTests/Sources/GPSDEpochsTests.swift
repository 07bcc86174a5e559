import LocationModel
import NIOCore
import NMEA
import Testing

@testable import Receivers

struct GPSDEpochsTests {
    /// 2026-01-01, in seconds since 1970.
    private static let start: Int64 = 1_767_225_600

    private func report(_ seconds: Int64?, latitude: Double? = 50, device: String = "/dev/a") -> GPSDReport.Position {
        var report = GPSDReport.Position(device: device, time: seconds.map { ($0 + Self.start) * 1000 }, mode: 3)
        report.latitude = latitude
        report.longitude = 8
        return report
    }

    /// Returns the times of the resulting fixes in seconds, and the number of reports that were dropped.
    private func times(_ reports: [GPSDReport.Position]) -> (given: [Int64], dropped: Int) {
        var epochs = GPSDEpochs(receiver: "gpsd")
        let fixes = reports.compactMap { epochs.fix($0) }
        return (fixes.map { $0.location.timestamp.millisecondsSince1970 / 1000 - Self.start }, epochs.dropped)
    }

    @Test func anEpochThatIsReportedTwiceIsOneFix() {
        #expect(times([report(1), report(1), report(2), report(2)]) == (given: [1, 2], dropped: 2))
    }

    /// gpsd may not know the time of its first report yet.
    @Test func aFirstReportWithoutATimeMakesNoFix() {
        #expect(times([report(nil), report(5)]) == (given: [5], dropped: 0))
    }

    /// gpsd-tpv-without-time.json: the receiver sends none.
    @Test func reportsWithoutATimeAreDatedByTheirArrival() {
        var epochs = GPSDEpochs(receiver: "gpsd")
        let clock = Timestamp(millisecondsSince1970: 1_790_000_000_000)
        let fixes = (0..<4).flatMap { second -> [Fix] in
            // gpsd reports each epoch twice.
            let now = NIODeadline.uptimeNanoseconds(UInt64(second) * 1_000_000_000)
            return [now, now + .milliseconds(10)].compactMap { now in epochs.fix(report(nil), at: now) { clock } }
        }
        #expect(fixes.map(\.location.timestamp) == [clock, clock, clock] && fixes.allSatisfy { $0.dating == .arrival })
        #expect(epochs.dropped == 0)
    }

    @Test func withoutATimeAndAClockThereIsNoFix() {
        var epochs = GPSDEpochs(receiver: "gpsd")
        for second in UInt64(0)..<3 {
            let now = NIODeadline.uptimeNanoseconds(second * 1_000_000_000)
            #expect(epochs.fix(report(nil), at: now) { Timestamp(millisecondsSince1970: 0) } == nil)
        }
        #expect(epochs.undated.lacksClock)
    }

    /// gpsd-date-1024-weeks-ago.json: the date is corrected like that of a serial port.
    @Test func aDateFromBeforeTheRolloverIsCorrected() {
        var epochs = GPSDEpochs(receiver: "gpsd")
        var old = report(0)
        old.time = Timestamp("2007-04-11T12:00:00Z")!.millisecondsSince1970
        #expect(epochs.fix(old)?.location.timestamp.description == "2026-11-25T12:00:00.000Z")
    }

    @Test func withoutAPositionThereIsNoFixAndNothingIsDropped() {
        var none = report(1)
        none.mode = 1
        #expect(times([none, report(2, latitude: nil)]) == (given: [], dropped: 0))
    }

    @Test func positionsOutOfRangeAreDropped() {
        #expect(times([report(1, latitude: 90.1), report(2, latitude: -90)]) == (given: [2], dropped: 1))
    }

    @Test func aTimeThatGoesBackIsDroppedUntilItGoesOnFromThere() {
        #expect(
            times([100, 50, 101, 40, 41, 102, 10, 11, 12, 13, 14].map { report($0) })
                == (given: [100, 101, 102, 13, 14], dropped: 6))
    }

    @Test func ofTwoDevicesOneIsFollowedUntilItHasBeenSilentForThreeSeconds() {
        var epochs = GPSDEpochs(receiver: "gpsd")
        var fixes: [Fix] = []
        for second in Int64(1)...10 {
            let now = NIODeadline.uptimeNanoseconds(UInt64(second) * 1_000_000_000)
            if second <= 4 { epochs.fix(report(second, latitude: 50), at: now).map { fixes.append($0) } }
            epochs.fix(report(second, latitude: 60, device: "/dev/b"), at: now).map { fixes.append($0) }
        }
        #expect(fixes.map(\.location.latitude) == [50, 50, 50, 50, 60, 60, 60])
        #expect(
            fixes.map { $0.location.timestamp.millisecondsSince1970 / 1000 - Self.start } == [1, 2, 3, 4, 8, 9, 10])
        #expect(epochs.follows("/dev/b"))
    }

    /// Attack on the truth: one of two devices has a fix and the other one has none, and they report in turn.
    @Test func theAbsenceOfAFixIsThatOfTheFollowedDevice() {
        var epochs = GPSDEpochs(receiver: "gpsd")
        func at(_ second: UInt64) -> NIODeadline { .uptimeNanoseconds(second * 1_000_000_000) }
        var (none, other) = (report(1), report(1, device: "/dev/b"))
        (none.mode, other.mode) = (1, 1)
        #expect(epochs.isWithoutFix(other, at: at(1)))
        let fix = epochs.fix(report(2), at: at(2))
        #expect(fix != nil)
        #expect(!epochs.isWithoutFix(report(2), at: at(2)) && !epochs.isWithoutFix(other, at: at(3)))
        #expect(epochs.isWithoutFix(none, at: at(3)))
        #expect(epochs.isWithoutFix(other, at: at(6)))
    }

    @Test func aDeviceWithADateInTheFutureDoesNotKeepTheOthersOutOnceItIsSilent() {
        var epochs = GPSDEpochs(receiver: "gpsd")
        var latitudes: [Double] = []
        for second in Int64(1)...10 {
            let now = NIODeadline.uptimeNanoseconds(UInt64(second) * 1_000_000_000)
            if second <= 4 {
                epochs.fix(report(second + 619_315_200), at: now).map { latitudes.append($0.location.latitude) }
            }
            let other = report(second, latitude: 60, device: "/dev/b")
            epochs.fix(other, at: now).map { latitudes.append($0.location.latitude) }
        }
        #expect(latitudes == [50, 50, 50, 50, 60, 60, 60])
    }

    @Test func anEpochThatTwoDevicesReportIsOneFix() {
        var epochs = GPSDEpochs(receiver: "gpsd")
        #expect(epochs.fix(report(5), at: .uptimeNanoseconds(1_000_000_000)) != nil)
        let later = NIODeadline.uptimeNanoseconds(9_000_000_000)
        #expect(epochs.fix(report(5, device: "/dev/b"), at: later) == nil)
        // The date of another device may be earlier.
        #expect(epochs.fix(report(2, device: "/dev/b"), at: later) != nil)
    }

    @Test func everythingThatIsKnownGoesIntoTheFix() throws {
        var epochs = GPSDEpochs(receiver: "gpsd")
        var sky = GPSDReport.Sky(device: "/dev/a", satellitesUsed: 7)
        sky.hdop = 0.9
        sky.vdop = 1.4
        sky.pdop = 1.7
        epochs.apply(sky)
        var position = report(1)
        position.quality = .simulated
        position.altitude = 12
        position.ellipsoidalAltitude = 58
        position.course = 360
        position.speed = 2
        let given = epochs.fix(position)
        let fix = try #require(given)
        #expect(fix.location.receiver == "gpsd")
        #expect(fix.location.simulated)
        #expect(fix.location.altitude == 12)
        #expect(fix.location.ellipsoidalAltitude == 58)
        #expect(fix.location.course == 0)
        #expect(fix.location.speed == 2)
        #expect(fix.dimension == .three)
        #expect(fix.location.satellitesUsed == 7)
        #expect((fix.location.horizontalDilution, fix.vdop, fix.pdop) == (0.9, 1.4, 1.7))
    }

    @Test func errorsAt95BecomeErrorsAt68() throws {
        var epochs = GPSDEpochs(receiver: "gpsd")
        var position = report(1)
        position.altitude = 12
        position.eastError = 19.6
        position.northError = 19.6
        position.verticalError = 19.6
        let given = epochs.fix(position)
        let location = try #require(given).location
        #expect(abs((location.horizontalAccuracy ?? 0) - 15.1) < 0.01)
        #expect(abs((location.verticalAccuracy ?? 0) - 9.945) < 0.01)
    }

    @Test func theReceiversOwnEstimateGoesBeforeGpsdsWhileItIsRecent() throws {
        var epochs = GPSDEpochs(receiver: "gpsd")
        var errors = GPSDReport.Errors(device: "/dev/a", time: (Self.start + 1) * 1000)
        errors.north = 2
        errors.east = 2
        epochs.apply(errors)
        var accuracies: [Double] = []
        for second in Int64(1)...3 {
            var position = report(second)
            position.horizontalError = 100
            let given = epochs.fix(position)
            accuracies.append(try #require(given?.location.horizontalAccuracy))
        }
        #expect(accuracies.map { ($0 * 10).rounded() / 10 } == [3.0, 3.0, 61.7])
    }

    @Test func rtkAccuracyDoesNotComeFromGPSD() throws {
        var epochs = GPSDEpochs(receiver: "gpsd")
        epochs.apply(GPSDReport.Sky(device: "/dev/a", hdop: 0.8))
        var position = report(1)
        position.quality = .rtkFixed
        position.correctionAge = 1.5
        position.eastError = 12
        position.northError = 12
        let given = epochs.fix(position)
        #expect(given?.location.horizontalAccuracy == 0.016)
        #expect(given?.location.correctionAge == 1.5)
    }
}

extension GPSDEpochs {
    /// Returns the fix of a report whose time of arrival does not matter.
    fileprivate mutating func fix(
        _ report: GPSDReport.Position, at now: NIODeadline = .uptimeNanoseconds(0)
    ) -> Fix? {
        fix(report, at: now) { Timestamp(millisecondsSince1970: 1_790_000_000_000) }
    }
}
