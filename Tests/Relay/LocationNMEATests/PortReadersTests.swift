import Testing

@testable import LocationNMEACommand

/// Which readers of a port are let in.
@Suite struct PortReadersTests {
    private var readers = PortReaders<Int>(maximumCount: 16, maximumPerOwner: 8)

    @Test mutating func anOwnerHasAFew() {
        for reader in 0..<8 { #expect(readers.add(reader, of: .user(1000), at: 0) == .admitted) }
        #expect(readers.add(8, of: .user(1000), at: 0) == .tooManyOfOwner)
        #expect(readers.add(9, of: .network([192, 168, 1, 2]), at: 0) == .admitted)
        #expect(readers.remove(0) && !readers.remove(0))
        #expect(readers.add(10, of: .user(1000), at: 0) == .admitted)
    }

    /// Attack: two users take all readers that there may be, and read nothing. The program that the port is for connects.
    @Test mutating func theOwnerWithTheMostGivesOneUp() {
        for reader in 0..<16 { #expect(readers.add(reader, of: .user(reader < 8 ? 1 : 2), at: 0) == .admitted) }
        #expect(readers.add(16, of: .user(3), at: 0) == .replaces(15))
        #expect(readers.add(17, of: .user(3), at: 0) == .replaces(7))
        // Nobody is replaced for one who would have as many then.
        var admitted = 2
        while case .replaces(let other) = readers.add(18 + admitted, of: .user(3), at: 0) {
            #expect(other < 16)
            admitted += 1
        }
        #expect(admitted == 5 && readers.all.count == 16)
    }

    @Test mutating func oneOfEachIsNotReplaced() {
        for reader in 0..<16 {
            #expect(readers.add(reader, of: .network([10, 0, 0, UInt8(reader)]), at: 0) == .admitted)
        }
        #expect(readers.add(16, of: .user(1), at: 0) == .tooMany)
        #expect(readers.removeAll() == Array(0..<16) && readers.all.isEmpty)
    }

    /// Attack: a program connects and closes without end. Others connect as before.
    @Test mutating func anOwnerThatConnectsTooOftenIsRefused() {
        for reader in 0..<32 {
            #expect(readers.add(reader, of: .user(1), at: 0) == .admitted && readers.remove(reader))
        }
        #expect(readers.add(32, of: .user(1), at: 0.2) == .tooOften)
        #expect(readers.add(33, of: .user(2), at: 0.2) == .admitted)
        #expect(readers.add(34, of: .user(1), at: 0.25) == .admitted)
    }

    /// Attack: a machine connects from thousands of networks. What is kept about them is bounded, and others connect.
    @Test mutating func manyNetworksDoNotKeepOthersOut() {
        for number in 0..<5000 {
            let owner = PortReaders<Int>.Owner.network([10, UInt8(number >> 8), UInt8(number & 255), 0])
            #expect(readers.add(number, of: owner, at: 0) == .admitted && readers.remove(number))
        }
        #expect(readers.add(5000, of: .user(1), at: 0) == .admitted)
    }
}
