import Testing

@testable import CoreLocation
@testable import CoreLocationDaemon

@Suite struct BufferTests {
    @Test func eventsComeInOrderAndThenTheEnd() async throws {
        let buffer = EventBuffer<Int>()
        buffer.append(1)
        buffer.append(2)
        buffer.finish()
        buffer.append(3)
        #expect(try await buffer.next(isolation: nil) == 1)
        #expect(try await buffer.next(isolation: nil) == 2)
        #expect(try await buffer.next(isolation: nil) == nil)
    }

    @Test func aSlowConsumerLosesTheOldest() async throws {
        let buffer = EventBuffer<Int>(limit: 2)
        for number in 1...5 { buffer.append(number) }
        #expect(try await buffer.next(isolation: nil) == 4)
        #expect(try await buffer.next(isolation: nil) == 5)
    }

    @Test func aWaitingConsumerReceivesTheNextEvent() async throws {
        let buffer = EventBuffer<Int>()
        async let next = buffer.next(isolation: nil)
        buffer.append(7)
        #expect(try await next == 7)
    }

    @Test func aCancelledConsumerThrows() async throws {
        let buffer = EventBuffer<Int>()
        let task = Task { try await buffer.next(isolation: nil) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func locationsThatArriveTogetherAreDeliveredTogether() {
        let batch = LocationBatch()
        let locations = (0..<70).map { CLLocation(latitude: Double($0), longitude: 0) }
        for location in locations { #expect(batch.add(location)) }
        #expect(batch.close().map(\.coordinate.latitude) == (6..<70).map(Double.init))
        #expect(!batch.add(locations[0]))
        #expect(batch.close().isEmpty)
    }
}
