import Publishing
import TestSupport
import Testing

/// Random walks through connections that are lost at any moment, and publishers that are killed at any moment: a
/// consumer that drops what is not newer than what it has gets every report, once and in order.
@Suite struct SendQueueWalkTests {
    /// A publisher, its disk, a broker and a consumer.
    private struct World {
        let window: Int
        var random: SeededRandom
        var queue: SendQueue
        /// The numbers on the disk, in order.
        var disk: [Int64] = []
        var stored: Int64 = 0
        /// The readings that the disk has yet to answer, with what it had at the time.
        var readings: [(SendQueue.LoadRequest, [QueuedReport])] = []
        /// The messages that the broker has received on this connection and not acknowledged.
        var unacknowledged: [SendQueue.Token] = []
        var consumed: [Int64] = []
        var states: [Int64] = []
        var isConnected = false
        var mostInFlight = 0

        init(seed: UInt64) {
            random = SeededRandom(seed: seed)
            window = Int.random(in: 1...5, using: &random)
            queue = SendQueue(window: window, sendsState: true)
        }

        mutating func perform(_ actions: [SendQueue.Action]) {
            for action in actions {
                switch action {
                case .load(let request):
                    let rows = disk.filter { $0 > request.after }.prefix(request.count)
                    readings.append((request, rows.map { Samples.entry($0) }))
                case .sendState(let entry):
                    unacknowledged.append(.state)
                    states.append(entry.identity.number)
                case .send(let entry):
                    #expect(
                        disk.contains(entry.identity.number), "sent before it was on the disk, or after it was deleted")
                    unacknowledged.append(.report(entry.identity.number))
                    if entry.identity.number > consumed.last ?? 0 { consumed.append(entry.identity.number) }
                case .delete(let number): disk.removeAll { $0 == number }
                }
            }
            let inFlight = unacknowledged.count { if case .report = $0 { true } else { false } }
            mostInFlight = max(mostInFlight, inFlight)
        }

        mutating func answerReading() {
            guard !readings.isEmpty else { return }
            let (request, entries) = readings.removeFirst()
            perform(queue.loaded(entries, newest: disk.last.map { Samples.entry($0) }, for: request))
        }

        mutating func acknowledge() {
            guard !unacknowledged.isEmpty else { return }
            perform(queue.acknowledged(unacknowledged.removeFirst()))
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
                queue = SendQueue(window: window, sendsState: true)
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
        #expect(world.consumed == (world.stored == 0 ? [] : Array(1...world.stored)), "seed \(seed)")
        #expect(world.mostInFlight <= world.window, "seed \(seed)")
        // The newest location was sent last.
        #expect(world.states.last == (world.stored == 0 ? nil : world.stored), "seed \(seed)")
    }
}
