import Publishing
import TestSupport
import Testing

/// Random walks through connections that are lost at any moment, and publishers that are killed at any moment: a
/// consumer that drops what is not newer than what it has gets every report, once and in order. So it does where the
/// server refuses some for good, and where several are sent in one message.
@Suite struct SendQueueWalkTests {
    /// A publisher, its disk, a broker and a consumer.
    private struct World {
        let window: Int
        let maximumBatch: Int
        /// The server never accepts a report whose number is a multiple of this; 0 if it accepts all.
        let fault: Int64
        var random: SeededRandom
        var queue: SendQueue
        /// The numbers on the disk, in order.
        var disk: [Int64] = []
        var stored: Int64 = 0
        /// The readings that the disk has yet to answer, with what it had at the time.
        var readings: [(SendQueue.LoadRequest, [QueuedReport])] = []
        /// The messages that the broker has received on this connection and not acknowledged.
        var unacknowledged: [(token: SendQueue.Token, reports: [Int64])] = []
        var refused: [Int64] = []
        var consumed: [Int64] = []
        var states: [Int64] = []
        var isConnected = false
        var mostInFlight = 0

        init(seed: UInt64) {
            random = SeededRandom(seed: seed)
            maximumBatch = Bool.random(using: &random) ? 1 : Int.random(in: 2...9, using: &random)
            window = maximumBatch > 1 ? 1 : Int.random(in: 1...5, using: &random)
            fault = Bool.random(using: &random) ? 0 : Int64.random(in: 1...20, using: &random)
            queue = SendQueue(window: window, maximumBatch: maximumBatch, sendsState: true)
        }

        func isRefused(_ numbers: [Int64]) -> Bool { fault > 0 && numbers.contains { $0 % fault == 0 } }

        mutating func perform(_ actions: [SendQueue.Action]) {
            for action in actions {
                switch action {
                case .load(let request):
                    let rows = disk.filter { $0 > request.after }.prefix(request.count)
                    readings.append((request, rows.map { Samples.entry($0) }))
                case .sendState(let entry):
                    unacknowledged.append((.state, []))
                    states.append(entry.identity.number)
                case .send(let entries):
                    let numbers = entries.map(\.identity.number)
                    #expect(numbers.count <= maximumBatch)
                    #expect(
                        numbers.allSatisfy(disk.contains), "sent before it was on the disk, or after it was deleted")
                    unacknowledged.append((.report(numbers[0]), numbers))
                    guard !isRefused(numbers) else { continue }
                    for number in numbers where number > consumed.last ?? 0 { consumed.append(number) }
                case .delete(let number): disk.removeAll { $0 == number }
                case .setAside(let number):
                    disk.removeAll { $0 == number }
                    refused.append(number)
                }
            }
            let inFlight = unacknowledged.count { if case .report = $0.token { true } else { false } }
            mostInFlight = max(mostInFlight, inFlight)
        }

        mutating func answerReading() {
            guard !readings.isEmpty else { return }
            let (request, entries) = readings.removeFirst()
            perform(queue.loaded(entries, newest: disk.last.map { Samples.entry($0) }, for: request))
        }

        mutating func acknowledge() {
            guard !unacknowledged.isEmpty else { return }
            let (token, numbers) = unacknowledged.removeFirst()
            perform(isRefused(numbers) ? queue.refused(token) : queue.acknowledged(token))
        }

        mutating func store() {
            stored += 1
            disk.append(stored)
            // The disk answers in order.
            while !readings.isEmpty { answerReading() }
            perform(queue.stored(Samples.entry(stored)))
        }

        mutating func step() {
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<7: store()
            case 7..<14: acknowledge()
            case 14..<17: answerReading()
            case 17 where isConnected:
                queue.disconnected()
                (isConnected, unacknowledged) = (false, [])
            case 18 where isConnected:
                // Killed: what was in memory is lost, also what was acknowledged and not yet deleted.
                queue = SendQueue(window: window, maximumBatch: maximumBatch, sendsState: true)
                (isConnected, unacknowledged, readings) = (false, [], [])
            default:
                guard !isConnected else { return }
                isConnected = true
                perform(queue.connected())
            }
        }

        mutating func finish() {
            if !isConnected { perform(queue.connected()) }
            isConnected = true
            while !readings.isEmpty || !unacknowledged.isEmpty {
                answerReading()
                acknowledge()
            }
        }
    }

    @Test(arguments: 1...200) func everyReportOnceAndInOrder(_ seed: UInt64) {
        var world = World(seed: seed)
        for _ in 0..<400 { world.step() }
        world.finish()
        #expect(world.disk == [], "seed \(seed)")
        let all = world.stored == 0 ? [] : Array(1...world.stored)
        #expect(world.consumed == all.filter { !world.isRefused([$0]) }, "seed \(seed)")
        #expect(Set(world.refused) == Set(all.filter { world.isRefused([$0]) }), "seed \(seed)")
        #expect(world.mostInFlight <= world.window, "seed \(seed)")
        // The newest location was sent last.
        #expect(world.states.last == (world.stored == 0 ? nil : world.stored), "seed \(seed)")
    }
}
