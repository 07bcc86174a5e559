import TestSupport
import Testing

@testable import RTCM

/// The frames that may reach a receiver, and their order.
@Suite struct CorrectionQueueTests {
    @Test(arguments: [
        1001, 1004, 1007, 1008, 1009, 1012, 1013, 1019, 1020, 1033, 1041, 1042, 1044, 1045, 1046, 1071, 1077, 1081,
        1087, 1097, 1107, 1117, 1121, 1127, 1131, 1137, 1230,
    ])
    func permitted(number: Int) {
        let queue = Queue()
        #expect(queue.append(RTCMFrames.message(number)))
        #expect(queue.removeFirst() == RTCMFrames.message(number))
        #expect(queue.removeFirst() == nil)
    }

    /// Attack: a caster sends text, proprietary messages, or a base that moves.
    @Test(arguments: [0, 1, 1000, 1014, 1029, 1057, 1070, 1078, 1079, 1080, 1138, 1240, 4072, 4095])
    func refused(number: Int) {
        let queue = Queue()
        #expect(!queue.append(RTCMFrames.message(number)) && queue.isEmpty)
    }

    /// Attack: a length that does not fit to the number, so that reading the fields would end the process.
    @Test func framesThatAreTooShortAreRefused() {
        let queue = Queue()
        for number in [1001, 1005, 1006, 1009, 1077, 1137] {
            for length in 1...7 {
                let payload = [UInt8(number >> 4), UInt8(number & 15) << 4, 0, 0, 0, 0, 0].prefix(length)
                #expect(!queue.append(RTCMFrames.frame(Array(payload))), "\(number) with \(length) bytes")
            }
        }
    }

    /// Attack: commands to a receiver inside an intact frame, for one that has lost the frame's beginning.
    @Test(
        arguments: [
            [0xB5, 0x62, 0x06, 0x04, 0x04, 0x00, 0xFF, 0xFF, 0x02, 0x00, 0x0E, 0x61], Array("$PMTK104*37\r\n".utf8),
            Array("AT+CFUN=0\r\n".utf8), Array("FRESET\r\n".utf8),
        ] as [[UInt8]])
    func framesWithCommandsAreRefused(command: [UInt8]) {
        let queue = Queue()
        for filler in 20...40 {
            let content = [UInt8](repeating: 0, count: filler) + command + [0, 0]
            #expect(!queue.append(RTCMFrames.message(1077, content: content)))
            #expect(!queue.append(RTCMFrames.message(1033, content: content)))
        }
        // The rest of the command would be in the next frame.
        let begun = [UInt8](repeating: 0, count: 20) + [0xB5, 0x62, 0x06, 0x04, 0x40, 0x00, 0xFF]
        #expect(!queue.append(RTCMFrames.message(1077, content: begun)))
        #expect(!queue.append(RTCMFrames.message(1077, content: begun.dropLast(4))))
        #expect(queue.isEmpty)
    }

    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func measurementsSeldomLookLikeCommands(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var refused = 0
        for _ in 0..<200 {
            let content = (0..<400).map { _ in UInt8.random(in: 0...255, using: &random) }
            let queue = Queue()
            if !queue.append(RTCMFrames.message(1077, content: content)) { refused += 1 }
        }
        #expect(refused <= 1, "seed \(seed)")
    }

    @Test func theNewerMomentTakesThePlaceOfTheOlder() {
        let queue = Queue()
        for frame in [(1077, 1), (1087, 1), (1005, 0), (1077, 2), (1005, 0)] {
            #expect(queue.append(RTCMFrames.message(frame.0, time: frame.1, content: Self.content(frame.0))))
        }
        #expect(queue.numbers == [1087, 1077, 1005])
        #expect(queue.dropped == 2)
    }

    @Test func theFramesOfOneMomentStayTogether() {
        let queue = Queue()
        for time in [1, 1, 1, 2, 2] { #expect(queue.append(RTCMFrames.message(1077, time: time))) }
        #expect(queue.numbers == [1077, 1077] && queue.dropped == 3)
    }

    @Test func orbitsAreToldApartByTheirSatellite() {
        let queue = Queue()
        for satellite in [1, 2, 1] { #expect(queue.append(RTCMFrames.message(1019, station: satellite << 6))) }
        #expect(queue.numbers == [1019, 1019])
    }

    /// Attack: a caster claims that endless frames belong to one moment.
    @Test func atMost64FramesWait() {
        let queue = Queue()
        for index in 0..<1000 {
            #expect(queue.append(RTCMFrames.message(1077, content: [UInt8](repeating: UInt8(index % 50), count: 20))))
        }
        #expect(queue.numbers.count == CorrectionQueue.capacity)
        #expect(queue.dropped == 1000 - CorrectionQueue.capacity)
        queue.removeAll()
        #expect(queue.isEmpty)
    }

    @Test func aFrameThatDoesNotFitWaits() {
        let queue = Queue()
        #expect(queue.append(RTCMFrames.message(1077)))
        let length = RTCMFrames.message(1077).count
        #expect(queue.removeFirst(atMost: length - 1) == nil)
        #expect(queue.removeFirst(atMost: length)?.count == length)
    }

    private static func content(_ number: Int) -> [UInt8] { [UInt8](repeating: 0, count: number == 1005 ? 12 : 20) }
}

/// A queue that gets bytes. A class, because the macros of the tests do not change values.
private final class Queue {
    private var queue = CorrectionQueue()

    var isEmpty: Bool { queue.isEmpty }
    var dropped: Int { queue.dropped }

    /// The numbers of the frames that wait.
    var numbers: [Int] {
        var copy = queue
        var numbers: [Int] = []
        while let bytes = copy.removeFirst() { numbers += frames(in: bytes).found.map(\.frame.number) }
        return numbers
    }

    /// Adds the frame that the bytes are. Returns whether it was added.
    func append(_ bytes: [UInt8]) -> Bool {
        frames(in: bytes).found.reduce(false) { isAdded, found in
            let bytes = found.bytes
            return queue.append(found.frame, bytes.span) || isAdded
        }
    }

    func removeFirst(atMost limit: Int = .max) -> [UInt8]? { queue.removeFirst(atMost: limit) }

    func removeAll() { queue.removeAll() }
}
