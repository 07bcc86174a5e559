import Positioning
import Testing

@testable import Surroundings

/// NetworkManager's objects to a report.
@Suite struct NetworkSurroundingsTests {
    private static let hash = EmitterHash(secret: Array(0..<32))
    private static let address = "3C:A6:2F:01:02:10"

    private func device(scan: Int64? = 100_000, own: String = "/", mode: UInt32 = 2) -> NetworkObject {
        var device = NetworkObject(path: "/device")
        (device.lastScan, device.ownAccessPoint, device.mode) = (scan, own, mode)
        return device
    }

    private func point(
        _ address: String = address, strength: UInt8 = 60, seen: Int32 = 95, mode: UInt32 = 2, path: String = "/point"
    ) -> NetworkObject {
        var point = NetworkObject(path: path)
        (point.address, point.strength, point.lastSeen, point.mode) = (address, strength, seen, mode)
        return point
    }

    private func report(_ objects: [NetworkObject], neighbours: String = "", at boottime: Double = 110)
        -> SurroundingsReport
    {
        var surroundings = NetworkSurroundings(Self.hash)
        return surroundings.report(objects, neighbours: { neighbours }, area: nil, boottime: boottime)
    }

    @Test func anAccessPointOfTheScanIsHeard() throws {
        let id = try #require(Self.hash.accessPoint(Self.address))
        #expect(report([device(), point()]) == SurroundingsReport(scan: [.init(id: id, strength: 0.6)]))
        #expect(report([device(own: "/point"), point()]).links == [id])
    }

    /// One heard before the scan, an ad hoc network, a phone's, and one of a device that is an access point itself.
    @Test func othersAreNot() {
        #expect(report([device(), point(seen: 84)]) == SurroundingsReport(scan: []))
        #expect(report([device(), point(seen: -1)]) == SurroundingsReport(scan: []))
        #expect(report([device(), point(mode: 1)]) == SurroundingsReport(scan: []))
        #expect(report([device(), point("02:A6:2F:01:02:10")]) == SurroundingsReport(scan: []))
        #expect(report([device(own: "/point", mode: 3), point()]) == SurroundingsReport())
        var unmapped = point()
        unmapped.isUnmapped = true
        #expect(report([device(own: "/point"), unmapped]) == SurroundingsReport(scan: []))
    }

    /// A single reading finds the last scan, however old it is, and what is watched from now on has it again.
    @Test func theLastScanIsReportedAgainOnceItIsForgotten() {
        var surroundings = NetworkSurroundings(Self.hash)
        func report(at boottime: Double, greatestAge: Double) -> Int? {
            surroundings.report(
                [device(scan: 100_000), point(seen: 100)], neighbours: { "" }, area: nil, boottime: boottime,
                greatestAge: greatestAge
            ).scan?.count
        }
        let (old, again) = (report(at: 5000, greatestAge: .infinity), report(at: 5001, greatestAge: .infinity))
        surroundings.forgetScans()
        let (forgotten, late) = (report(at: 5002, greatestAge: .infinity), report(at: 5003, greatestAge: 60))
        #expect(old == 1 && again == nil && forgotten == 1 && late == nil)
    }

    @Test func aScanIsReportedOnceWhileItIsNew() {
        var surroundings = NetworkSurroundings(Self.hash)
        func report(_ scan: Int64?, at boottime: Double) -> Int? {
            surroundings.report(
                [device(scan: scan), point(seen: Int32((scan ?? 0) / 1000))], neighbours: { "" }, area: nil,
                boottime: boottime
            ).scan?.count
        }
        #expect(report(-1, at: 10) == nil)
        #expect(report(100_000, at: 101) == 1)
        #expect(report(100_000, at: 102) == nil)
        #expect(report(101_000, at: 103) == 1)
        #expect(report(110_000, at: 200) == nil)
        #expect(report(nil, at: 200) == nil)
        // Of a device that was unplugged, nothing is kept.
        #expect(report(110_000, at: 111) == 1)
    }

    @Test func theGatewayOfAWiredConnectionIsALink() {
        var (wired, addresses) = (NetworkObject(path: "/wired"), NetworkObject(path: "/addresses"))
        (wired.type, wired.state, wired.addresses, wired.interface) = (1, 100, "/addresses", "eth0")
        addresses.gateway = "192.168.1.1"
        let table = """
            IP address       HW type     Flags       HW address            Mask     Device
            192.168.1.7      0x1         0x2         3c:a6:2f:09:09:09     *        eth0
            192.168.1.1      0x1         0x2         3c:a6:2f:01:02:10     *        eth0
            192.168.1.1      0x1         0x2         3c:a6:2f:05:05:05     *        veth7

            """
        let id = Self.hash.gateway("3c:a6:2f:01:02:10")
        #expect(id != nil)
        #expect(
            report([wired, addresses], neighbours: table) == SurroundingsReport(links: Set([id].compactMap(\.self))))
        for other in [table.replacing("3c:a6:2f:01:02:10", with: "00:00:00:00:00:00"), "", "192.168.1.1", "\n \n"] {
            #expect(report([wired, addresses], neighbours: other) == SurroundingsReport())
        }
        wired.state = 30
        #expect(report([wired, addresses], neighbours: table) == SurroundingsReport())
    }
}
