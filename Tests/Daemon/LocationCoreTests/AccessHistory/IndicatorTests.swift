import LocationModel
import Testing

@testable import LocationCore

/// The apps that the indicator shows, and the changes that it reports.
@Suite struct IndicatorTests {
    private let maps = AppKey(uid: 1000, app: AppIdentity("app:org.gnome.Maps")!)
    private let other = AppKey(uid: 1001, app: AppIdentity("exe:/usr/bin/other")!)
    private let indicator = Indicator()

    private func moment(_ seconds: Double) -> Timestamp {
        Timestamp(millisecondsSince1970: 1_800_000_000_000 + Int64(seconds * 1000))
    }

    private func entry(
        _ app: AppKey, at seconds: Double, active: Bool = false, background: Bool = false,
        _ accuracy: AccuracyAuthorization = .full
    ) -> IndicatorEntry {
        IndicatorEntry(key: app, active: active, background: background, accuracy: accuracy, lastUse: moment(seconds))
    }

    /// Returns how many changes the indicator reports during `body`.
    private func changes(_ indicator: Indicator? = nil, _ body: (Indicator) -> Void) -> Int {
        let indicator = indicator ?? self.indicator
        var changes = 0
        let observation = indicator.changes.observe([.indicator]) { changes += 1 }
        body(indicator)
        observation.end()
        return changes
    }

    @Test func aFixAloneIsNotAChange() {
        #expect(changes { $0.setActive(maps, true, inBackground: false) } == 0)
        #expect(changes { $0.used(maps, accuracy: .full, inBackground: false, at: moment(0)) } == 1)
        #expect(
            changes {
                for second in 1..<200 {
                    $0.used(maps, accuracy: .full, inBackground: false, at: moment(Double(second)))
                }
            }
                == 0)
        #expect(indicator.entries(of: nil, at: moment(200)) == [entry(maps, at: 199, active: true)])
    }

    @Test(arguments: [(59.999, 0), (60, 1), (3600, 1), (-59.999, 0), (-60, 1)])
    func aUseAfterAWhileIs(seconds: Double, expected: Int) {
        indicator.used(maps, accuracy: .full, inBackground: false, at: moment(0))
        #expect(changes { $0.used(maps, accuracy: .full, inBackground: false, at: moment(seconds)) } == expected)
        #expect(indicator.entries(of: nil, at: moment(seconds)) == [entry(maps, at: seconds)])
    }

    /// Attack: a program that may not see movement asks each second. 1,800,000,000 s begins a quarter of an hour.
    @Test func attackTheTimeOfAUseShowsWhenTheSkyOpened() {
        func shown(at seconds: Double) -> [IndicatorEntry] {
            indicator.entries(of: nil, at: moment(seconds), hidesMovement: true)
        }
        for seconds in [10.0, 20, 300] {
            indicator.used(maps, accuracy: .full, inBackground: false, at: moment(seconds))
            #expect(shown(at: seconds) == [entry(maps, at: 0)], "the first quarter is shown at once")
        }
        indicator.used(maps, accuracy: .full, inBackground: false, at: moment(2000))
        for seconds in [2000.0, 2001, 2699.999] { #expect(shown(at: seconds) == [entry(maps, at: 0)]) }
        #expect(shown(at: 2700) == [entry(maps, at: 1800)])
        indicator.used(maps, accuracy: .full, inBackground: false, at: moment(2701))
        #expect(shown(at: 2701) == [entry(maps, at: 1800)])
        #expect(shown(at: 3600) == [entry(maps, at: 2700)])
        #expect(indicator.entries(of: nil, at: moment(3600)) == [entry(maps, at: 2701)])
    }

    @Test func accuracyAndBackgroundAre() {
        indicator.used(maps, accuracy: .full, inBackground: false, at: moment(0))
        #expect(changes { $0.used(maps, accuracy: .reduced, inBackground: false, at: moment(1)) } == 1)
        #expect(changes { $0.used(maps, accuracy: .reduced, inBackground: true, at: moment(2)) } == 1)
        #expect(changes { $0.used(maps, accuracy: .reduced, inBackground: true, at: moment(3)) } == 0)
        #expect(indicator.entries(of: nil, at: moment(3)) == [entry(maps, at: 3, background: true, .reduced)])
    }

    /// An app that is still waiting for its first fix has learned nothing.
    @Test func anAppWithoutDeliveriesIsNotShown() {
        let told = changes {
            $0.setActive(maps, true, inBackground: false)
            $0.setActive(maps, true, inBackground: true)
        }
        #expect(told == 0)
        #expect(indicator.entries(of: nil, at: moment(0)) == [])
        #expect(changes { $0.setActive(maps, false, inBackground: false) } == 0)
        indicator.used(maps, accuracy: .full, inBackground: false, at: moment(1))
        #expect(indicator.entries(of: nil, at: moment(1)) == [entry(maps, at: 1)])
    }

    @Test func streamsThatOpenAndClose() {
        indicator.used(maps, accuracy: .full, inBackground: false, at: moment(0))
        #expect(changes { $0.setActive(maps, true, inBackground: false) } == 1)
        #expect(changes { $0.setActive(maps, true, inBackground: false) } == 0)
        #expect(changes { $0.setActive(maps, true, inBackground: true) } == 1)
        #expect(indicator.entries(of: nil, at: moment(9)) == [entry(maps, at: 0, active: true, background: true)])
        #expect(changes { $0.setActive(maps, false, inBackground: false) } == 1)
        #expect(changes { $0.setActive(maps, false, inBackground: false) } == 0)
        // The app's state at the close says nothing about how its locations were delivered.
        #expect(indicator.entries(of: nil, at: moment(9)) == [entry(maps, at: 0, background: true)])
        #expect(changes { $0.setActive(other, false, inBackground: false) } == 0)
    }

    @Test func aDayLater() {
        let day = 86_400.0
        indicator.used(maps, accuracy: .full, inBackground: false, at: moment(0))
        indicator.used(other, accuracy: .full, inBackground: false, at: moment(1))
        indicator.setActive(other, true, inBackground: false)
        let both = [entry(other, at: 1, active: true), entry(maps, at: 0)]
        #expect(indicator.entries(of: nil, at: moment(day)) == both)
        #expect(indicator.entries(of: 1000, at: moment(day)) == [both[1]])
        // A subscription that has been paused for days will deliver again without a new request.
        #expect(indicator.entries(of: nil, at: moment(day + 1)) == [both[0]])
        #expect(indicator.entries(of: nil, at: moment(5 * day)) == [both[0]])
        indicator.setActive(other, false, inBackground: false)
        #expect(indicator.entries(of: nil, at: moment(5 * day)) == [])
    }

    @Test func afterARestart() {
        func row(_ app: AppKey, _ seconds: Double, _ accuracy: AccuracyAuthorization, _ inBackground: Bool)
            -> AccessLogRow
        {
            AccessLogRow(
                key: .init(app: app, hour: moment(0), accuracy: accuracy, inBackground: inBackground),
                tally: .init(deliveries: 7, lastDelivery: moment(seconds)))
        }
        let indicator = Indicator([
            row(maps, 10, .full, false), row(maps, 30, .reduced, true), row(maps, 20, .full, false),
            row(other, 15, .full, false),
        ])
        let expected = [entry(maps, at: 30, background: true, .reduced), entry(other, at: 15)]
        #expect(indicator.entries(of: nil, at: moment(60)) == expected)
        #expect(changes(indicator) { $0.used(other, accuracy: .full, inBackground: false, at: moment(60)) } == 0)
    }

    /// Outdated entries do not pile up while nobody looks at the indicator.
    @Test func oldOnesAreForgotten() {
        for number in 0..<10_000 {
            let app = AppKey(uid: 1000, app: AppIdentity("exe:/bin/\(number)")!)
            indicator.used(app, accuracy: .full, inBackground: false, at: moment(Double(number) * 3600))
        }
        #expect(indicator.count <= 64)
        #expect(indicator.entries(of: nil, at: moment(9999 * 3600)).count == 25)
    }
}
