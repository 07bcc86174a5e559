import Glibc
import TestSupport
import Testing

@testable import LocationPublishCommand

/// The relay between a socket pair that stands for the connection to a broker, and the descriptor of libmosquitto.
@Suite struct BrokerRelayTests {
    private let broker: CInt
    private let client: CInt
    private let relay: BrokerRelay

    init() throws {
        var ends: [CInt] = [-1, -1]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | O_NONBLOCK, 0, &ends) == 0)
        (client, broker) = (ends[0], ends[1])
        relay = try #require(BrokerRelay(between: client))
    }

    private func write(_ count: Int, to descriptor: CInt) -> Int {
        let bytes = [UInt8](repeating: 7, count: count)
        return bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }

    /// Reads what is there. Returns the number of bytes, or -1 if there is nothing.
    private func read(_ descriptor: CInt) -> Int {
        var bytes = [UInt8](repeating: 0, count: 100_000)
        return bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
    }

    /// Attack: a packet of any length that has arrived already is read in one call.
    @Test func aPieceAtATimeArrives() {
        #expect(write(50_000, to: broker) == 50_000)
        var arrived = 0
        while let received = relay.advance(), received > 0 {
            #expect(received <= 4096)
            #expect(read(client) == received)
            arrived += received
        }
        #expect(arrived == 50_000)
    }

    @Test func bothDirections() {
        #expect(write(10, to: client) == 10)
        #expect(relay.advance() == 0)
        #expect(read(broker) == 10)
        #expect(write(20, to: broker) == 20)
        #expect(relay.advance() == 20)
        #expect(read(client) == 20)
    }

    /// The client does not read: what waits stays with the broker.
    @Test func nothingIsCollected() {
        var written = 0
        while case let count = write(4096, to: broker), count > 0 {
            written += count
            _ = relay.advance()
        }
        #expect(relay.advance() == 0)
        #expect(relay.polled.map(\.events) == [0, Int16(POLLIN | POLLOUT)])
        #expect(written < 2_000_000)
        close(client)
        close(broker)
    }

    @Test func theEndOfTheBrokerArrivesAfterItsLastWords() {
        #expect(write(5, to: broker) == 5)
        close(broker)
        _ = write(3, to: client)
        #expect(relay.advance() == 5)
        #expect(read(client) == 5)
        _ = relay.advance()
        #expect(read(client) == 0)
    }

    @Test func theLastWordsOfTheClientLeave() {
        #expect(write(9000, to: client) == 9000)
        close(client)
        relay.flush()
        #expect(read(broker) == 9000)
    }
}
