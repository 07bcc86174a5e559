import LocationModel
import Testing

@testable import LocationCore

/// Whether any app uses the location, which a desktop's indicator shows.
@Suite struct InUseTests {
    private let maps = AppKey(uid: 1000, app: AppIdentity("app:org.gnome.Maps")!)
    private let other = AppKey(uid: 1001, app: AppIdentity("exe:/usr/bin/other")!)
    private let service = AppKey(uid: 0, app: AppIdentity("service:chrony")!)
    private let indicator = Indicator()

    /// Returns what the indicator reports during `body`.
    private func reports(_ body: () -> Void) -> [Bool] {
        var reports: [Bool] = []
        let observation = indicator.changes.observe([.inUse]) { [indicator] in reports.append(indicator.isInUse) }
        body()
        observation.end()
        return reports
    }

    @Test func theFirstAppAndTheLastOne() {
        #expect(reports { indicator.setActive(maps, true, inBackground: false) } == [true])
        #expect(reports { indicator.setActive(other, true, inBackground: true) }.isEmpty)
        #expect(reports { indicator.setActive(maps, true, inBackground: true) }.isEmpty, "it was active")
        #expect(reports { indicator.setActive(maps, false, inBackground: false) }.isEmpty)
        #expect(reports { indicator.setActive(maps, false, inBackground: false) }.isEmpty, "it was not active")
        #expect(reports { indicator.setActive(other, false, inBackground: false) } == [false])
    }

    @Test func systemServicesDoNotCount() {
        #expect(reports { indicator.setActive(service, true, inBackground: true) }.isEmpty)
        #expect(!indicator.isInUse)
        #expect(reports { indicator.setActive(maps, true, inBackground: false) } == [true])
        #expect(reports { indicator.setActive(service, false, inBackground: true) }.isEmpty)
        #expect(indicator.isInUse)
    }
}
