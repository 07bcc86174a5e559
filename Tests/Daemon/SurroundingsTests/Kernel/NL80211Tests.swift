import Linux
import TestSupport
import Testing

@testable import Surroundings

/// The kernel's messages about Wi-Fi.
@Suite struct NL80211Tests {
    private static let address: [UInt8] = [0x3C, 0xA6, 0x2F, 0x01, 0x02, 0x10]

    private func messages(in bytes: [UInt8]) -> [GenericMessage] {
        (NetlinkMessage.list(bytes) ?? []).compactMap { GenericMessage($0) }
    }

    private func read(_ bytes: [UInt8]) -> KernelNetwork? { messages(in: bytes).first.flatMap { KernelNetwork($0) } }

    // MARK: Networks

    @Test func anEntryOfTheListIsANetwork() throws {
        let network = try #require(read(KernelMessages.network(Self.address)))
        #expect(network.address == Self.address && network.age == 0.3)
        #expect(!network.isConnected && !network.isUnmapped)
    }

    /// Attributes of strengths: hundredths of dBm, and percentages.
    private static let signals: [([UInt8], Double)] = [
        (KernelMessages.attribute(7, Int32(-8100)), 0.32), (KernelMessages.attribute(7, Int32(-9200)), 0.14),
        (KernelMessages.attribute(7, Int32(-3000)), 1), (KernelMessages.attribute(7, Int32(-11_000)), 0),
        (KernelMessages.attribute(8, UInt8(45)), 0.45), (KernelMessages.attribute(8, UInt8(255)), 1), ([], 0),
    ]

    /// As NetworkManager has them: 32 at -81 dBm, 14 at -92 dBm (its tests).
    @Test(arguments: signals) func strengths(_ signal: [UInt8], _ expected: Double) throws {
        let network = try #require(read(KernelMessages.network(Self.address, signal: signal)))
        #expect(abs(network.strength - expected) < 0.01)
    }

    @Test func theNetworkOfTheConnection() {
        func isConnected(_ status: UInt32) -> Bool? {
            read(KernelMessages.network(Self.address, status: status))?.isConnected
        }
        // Authenticated, associated, joined ad hoc.
        #expect(isConnected(0) == false && isConnected(1) == true && isConnected(2) == false)
    }

    /// A name that asks to be left out of maps, and elements that are cut off.
    @Test func names() {
        func isUnmapped(_ elements: [UInt8]) -> Bool? {
            read(KernelMessages.network(Self.address, elements: elements))?.isUnmapped
        }
        #expect(isUnmapped(KernelMessages.name("Attic_nomap")) == true)
        #expect(isUnmapped([5, 1, 0] + KernelMessages.name("Attic_nomap")) == true)
        #expect(isUnmapped(KernelMessages.name("Attic_nomap2")) == false)
        for elements in [[], [0], [0, 200, 65], [7, 3, 1], [0, 0]] as [[UInt8]] {
            #expect(isUnmapped(elements) == false, "\(elements)")
        }
    }

    /// An ad hoc network, an address that is none, and a message of another kind.
    @Test func othersAreNoNetworks() {
        #expect(read(KernelMessages.network(Self.address, capability: 0x0022)) == nil)
        #expect(read(KernelMessages.network([1, 2, 3])) == nil)
        #expect(read(KernelMessages.network([])) == nil)
        #expect(read(KernelMessages.interface(3, type: 2)) == nil)
        #expect(read(KernelMessages.generic(34, [])) == nil)
    }

    // MARK: Families

    @Test func theFamilyWithItsGroups() throws {
        let groups: [(String, UInt32)] = [("config", 5), ("scan", 6), ("mlme", 8)]
        let descriptions = messages(
            in: KernelMessages.description("nl80211", id: 33, groups: groups)
                + KernelMessages.description("nl80212", id: 34, groups: []))
        let families = descriptions.map { GenericFamily($0, named: "nl80211") }
        #expect(families.count == 2 && families[1] == nil)
        let family = try #require(families[0])
        #expect(family.id == 33 && family.groups == ["config": 5, "scan": 6, "mlme": 8])
    }

    /// The description of the control itself, as Linux 6.18 gave it to a socket with the address 11,994.
    @Test func aDescriptionByARealKernel() throws {
        let digits = Array(
            """
            880000001000020001000000da2e0000010200000b0002006e6c6374726c000006000100100000000800030002000000\
            080004000000000008000500000000002c000600140001000800010003000000080002000e0000001400020008000100\
            0a000000080002000c0000001c0007001800010008000200100000000b0001006e6f746966790000
            """)
        let bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...($0 + 1)]), radix: 16)! }
        let message = try #require(messages(in: bytes).first)
        let family = try #require(GenericFamily(message, named: "nlctrl"))
        #expect(family.id == GenericMessage.control && family.groups == ["notify": GenericMessage.controlGroup])
    }

    // MARK: Requests and events

    /// NLM_F_REQUEST with NLM_F_DUMP, and NL80211_CMD_GET_SCAN for an interface.
    @Test func theRequestForTheNetworksOfAnInterface() {
        let request = GenericMessage.request(NL80211.getScan, of: 33, sequence: 9, interface: 3)
        let expected = KernelMessages.join(
            KernelMessages.bytes(UInt32(28)), KernelMessages.bytes(UInt16(33)), KernelMessages.bytes(UInt16(0x301)),
            KernelMessages.bytes(UInt32(9)), KernelMessages.bytes(UInt32(0)), [32, 1, 0, 0],
            KernelMessages.attribute(3, UInt32(3)))
        #expect(request == expected)
    }

    private func event(_ bytes: [UInt8], family: UInt16? = KernelMessages.family) -> NL80211.Event? {
        NetlinkMessage.list(bytes)?.first.flatMap { NL80211.event($0, family: family) }
    }

    @Test func eventsThatChangeTheLists() {
        for command in [34, 77] as [UInt8] { #expect(event(KernelMessages.generic(command, [])) == .scan) }
        for command in [46, 47, 48] as [UInt8] { #expect(event(KernelMessages.generic(command, [])) == .other) }
        // Wi-Fi's driver is loaded or removed.
        for command in [1, 2] as [UInt8] {
            #expect(event(KernelMessages.generic(command, [], of: 16), family: nil) == .other)
        }
    }

    /// A scan that begins or fails, frames, other families, and an error.
    @Test func otherEventsChangeNothing() {
        for command in [33, 35, 37, 38, 58, 64, 0, 255] as [UInt8] {
            #expect(event(KernelMessages.generic(command, [])) == nil)
        }
        #expect(event(KernelMessages.generic(34, [], of: 34)) == nil)
        #expect(event(KernelMessages.generic(34, []), family: nil) == nil)
        #expect(event(KernelMessages.generic(34, [], of: 16)) == nil)
        #expect(event(KernelMessages.message(2, KernelMessages.bytes(Int32(-19)))) == nil)
    }

    // MARK: Damage

    @Test func whatIsCutOffIsNotRead() {
        let whole = KernelMessages.network(Self.address)
        for length in 1..<whole.count {
            var cut = Array(whole.prefix(length))
            #expect(NetlinkMessage.list(cut) == nil, "\(length)")
            guard length >= 4 else { continue }
            // With lengths that agree, but for those of the attributes.
            cut.replaceSubrange(0..<4, with: KernelMessages.bytes(UInt32(length)))
            _ = read(cut)
        }
        #expect(NetlinkMessage.list([])?.isEmpty == true)
        #expect(NetlinkMessage.list([UInt8](repeating: 0xFF, count: 40_000)) == nil)
        #expect(NetlinkMessage.list([UInt8](repeating: 0, count: 64)) == nil)
    }

    @Test(arguments: [UInt64(1), 2, 3]) func damagedMessages(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let samples = [
            KernelMessages.network(Self.address, status: 1), KernelMessages.interface(3, type: 2),
            KernelMessages.description("nl80211", id: 33, groups: [("scan", 6), ("mlme", 8)]), KernelMessages.done(),
        ]
        for _ in 0..<20_000 {
            var bytes = samples.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            _ = event(bytes)
            _ = try? KernelListPart(bytes, sequence: KernelMessages.sequence, port: KernelMessages.port)
            for message in messages(in: bytes) {
                _ = GenericFamily(message, named: "nl80211")
                guard let network = KernelNetwork(message) else { continue }
                #expect(network.address.count == 6 && 0...1 ~= network.strength && network.age >= 0, "seed \(seed)")
            }
        }
    }
}
