import Testing

@testable import Surroundings

@Suite struct EmitterHashTests {
    private let hash = EmitterHash(secret: Array(0..<32))

    /// The addresses of one router: two bands, and its cable.
    @Test(arguments: ["3C:A6:2F:01:02:10", "3c:a6:2f:01:02:1F", "3C:A6:2F:01:02:11"])
    func theAddressesOfARouterAreOneEmitter(address: String) {
        #expect(hash.accessPoint(address) != nil)
        #expect(hash.accessPoint(address) == hash.accessPoint("3C:A6:2F:01:02:10"))
        #expect(hash.gateway(address) == hash.accessPoint("3C:A6:2F:01:02:10"))
    }

    @Test func othersDiffer() {
        #expect(hash.accessPoint("3C:A6:2F:01:02:10") != hash.accessPoint("3C:A6:2F:01:03:10"))
        // The access points of one maker in a big building.
        #expect(hash.accessPoint("3C:A6:2F:01:02:10") != hash.accessPoint("3C:A6:2F:01:02:20"))
        #expect(hash.accessPoint("3C:A6:2F:01:02:10") != hash.accessPoint("38:A6:2F:01:02:10"))
        let other = EmitterHash(secret: Array(1..<33))
        #expect(hash.accessPoint("3C:A6:2F:01:02:10") != other.accessPoint("3C:A6:2F:01:02:10"))
        #expect(hash.area("262,01,84CD") != other.area("262,01,84CD"))
    }

    /// A phone's, a group's, one that NetworkManager invents, and texts that are not addresses.
    @Test(arguments: [
        "02:A6:2F:01:02:10", "01:A6:2F:01:02:10", "00:01:02:03:04:05", "", "3C", "3C:A6:2F:01:02", "3C:A6:2F:01:02:1",
        "3C:A6:2F:01:02:10:11", "+C:A6:2F:01:02:10", "3C-A6-2F-01-02-10", "0x:A6:2F:01:02:10",
    ])
    func whatIsNoEvidenceOfAPlaceIsIgnored(address: String) {
        #expect(hash.accessPoint(address) == nil)
    }

    @Test func anUnknownNeighbourIsNoGateway() {
        #expect(hash.gateway("00:00:00:00:00:00") == nil)
        #expect(hash.gateway("02:a6:2f:01:02:10") == nil)
        #expect(hash.gateway("3c:a6:2f:01:02:10") != nil)
    }
}
