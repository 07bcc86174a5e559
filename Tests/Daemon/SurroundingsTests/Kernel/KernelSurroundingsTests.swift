import Positioning
import Testing

@testable import Surroundings

/// The kernel's networks to a report.
@Suite struct KernelSurroundingsTests {
    private static let hash = EmitterHash(secret: Array(0..<32))

    private func network(
        _ number: UInt8 = 1, age: Double = 1, isConnected: Bool = false, isUnmapped: Bool = false
    ) -> KernelNetwork {
        KernelNetwork(
            address: [0x3C, 0xA6, 0x2F, 0x01, number, 0x10], strength: 0.6, age: age, isConnected: isConnected,
            isUnmapped: isUnmapped)
    }

    /// Returns the report of a list that is read some seconds after the end of a scan.
    private func report(_ networks: [KernelNetwork], after seconds: Double? = 1) -> SurroundingsReport {
        var surroundings = KernelSurroundings(Self.hash)
        if let seconds { surroundings.scanEnded(at: 100 - seconds) }
        surroundings.willList()
        return surroundings.report(networks, at: 100)
    }

    /// The hashes are those of NetworkManager's networks, so what is learnt with one holds with the other.
    @Test func aNetworkHasTheHashThatNetworkManagersHas() throws {
        let id = try #require(Self.hash.accessPoint("3C:A6:2F:01:01:10"))
        #expect(report([network()]) == SurroundingsReport(scan: [.init(id: id, strength: 0.6)]))
        #expect(report([network(isConnected: true)]).links == [id])
    }

    @Test func aNetworkOfAnEarlierScanIsNotHeard() {
        #expect(report([network(age: 15.9)]).scan?.count == 1)
        #expect(report([network(age: 16.1)]).scan?.isEmpty == true)
        // The age counts from the end of the scan.
        #expect(report([network(age: 24)], after: 10).scan?.count == 1)
        #expect(report([network(age: 24)], after: 61).scan == nil)
    }

    /// A phone's, and one whose owner asks to be left out.
    @Test func othersAreIgnored() {
        let phone = KernelNetwork(
            address: [0x02, 0xA6, 0x2F, 0x01, 0x02, 0x10], strength: 1, age: 0, isConnected: true)
        let unmapped = network(isConnected: true, isUnmapped: true)
        #expect(report([phone, unmapped]) == SurroundingsReport(scan: []))
    }

    /// A connected machine hardly scans: its network is known without a scan, however long ago it was heard.
    @Test func theConnectionIsReportedWithoutAScan() {
        let connected = report([network(age: 3600, isConnected: true)], after: nil)
        #expect(connected.scan == nil && connected.links.count == 1)
    }

    /// The first list has a scan of which nobody has said when it ended.
    @Test func theFirstListHasTheLastScan() {
        let networks = [network(1, age: 20), network(2, age: 8), network(3, age: 24), network(4, isConnected: true)]
        #expect(report(networks, after: nil).scan?.count == 3)
        #expect(report([network(age: 70)], after: nil).scan == nil)
    }

    @Test func aScanIsReportedOnce() {
        var surroundings = KernelSurroundings(Self.hash)
        func count(at now: Double) -> Int? {
            surroundings.willList()
            return surroundings.report([network()], at: now).scan?.count
        }
        let (first, second) = (count(at: 100), count(at: 101))
        surroundings.scanEnded(at: 102)
        let (third, fourth) = (count(at: 103), count(at: 104))
        surroundings.forget()
        let again = count(at: 105)
        #expect(first == 1 && second == nil && third == 1 && fourth == nil && again == 1)
    }

    /// A scan ends while a list is read, which does not have all of it yet.
    @Test func aScanThatEndsDuringTheListBelongsToTheNext() {
        var surroundings = KernelSurroundings(Self.hash)
        surroundings.willList()
        _ = surroundings.report([], at: 100)
        surroundings.willList()
        surroundings.scanEnded(at: 101)
        let during = surroundings.report([network()], at: 102).scan
        surroundings.willList()
        let next = surroundings.report([network()], at: 103).scan
        #expect(during == nil && next?.count == 1)
    }

    /// A list that failed has not reported its scan.
    @Test func aScanOutlastsAListThatFails() {
        var surroundings = KernelSurroundings(Self.hash)
        surroundings.willList()
        _ = surroundings.report([], at: 100)
        surroundings.scanEnded(at: 101)
        surroundings.willList()
        surroundings.willList()
        let scan = surroundings.report([network()], at: 103).scan
        #expect(scan?.count == 1)
    }
}
