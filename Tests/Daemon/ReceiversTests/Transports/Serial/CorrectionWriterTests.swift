import Foundation
import NIOCore
import NIOEmbedded
import RTCM
import TestSupport
import Testing

@testable import Receivers

/// When frames are written to a port, and which.
@Suite struct CorrectionWriterTests {
    /// A writer to a pipe.
    private final class Scene {
        let loop = EmbeddedEventLoop()
        let writer: CorrectionWriter
        var isBusy: Bool {
            get { busy.value }
            set { busy.value = newValue }
        }
        private let busy = Flag()
        private let reading: CInt

        private final class Flag { var value = false }

        init(baudRate: Int = 9600, isUSB: Bool = false) throws {
            var ends: [CInt] = [-1, -1]
            guard pipe(&ends) == 0 else { throw POSIXError.last }
            for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
            reading = ends[0]
            defer { close(ends[1]) }
            guard let output = SerialOutput(duplicating: ends[1], baudRate: baudRate, on: loop) else {
                throw POSIXError.last
            }
            writer = CorrectionWriter(output, isUSB: isUSB, on: loop) { [busy] in busy.value }
        }

        deinit { close(reading) }

        func write(_ bytes: [UInt8]) {
            var delimiter = RTCMDelimiter()
            delimiter.receive(bytes.span.bytes) { frame, bytes in writer.write(frame, bytes) }
        }

        func written() -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            return Array(bytes[..<max(0, read(reading, &bytes, bytes.count))])
        }
    }

    private static func frame(_ number: Int, time: Int = 0, length: Int = 200) -> [UInt8] {
        RTCMFrames.message(number, time: time, content: [UInt8](repeating: 0, count: length))
    }

    @Test func framesWaitUntilThePortHasSentTheEarlierOnes() throws {
        let scene = try Scene()
        for number in [1077, 1087, 1097] { scene.write(Self.frame(number)) }
        #expect(scene.written() == Self.frame(1077))
        // 213 bytes take 222 ms at 9,600 baud, and 100 ms of them may be unsent.
        scene.loop.advanceTime(by: .milliseconds(121))
        #expect(scene.written().isEmpty)
        scene.loop.advanceTime(by: .milliseconds(2))
        #expect(scene.written() == Self.frame(1087))
        scene.loop.advanceTime(by: .seconds(1))
        #expect(scene.written() == Self.frame(1097))
        #expect(scene.writer.written == 3 && scene.writer.dropped == 0)
    }

    @Test func aLineThatIsTooSlowCarriesTheNewestFrames() throws {
        let scene = try Scene()
        for time in 0..<50 {
            for number in [1077, 1087, 1097, 1127] { scene.write(Self.frame(number, time: time)) }
            scene.loop.advanceTime(by: .milliseconds(200))
        }
        #expect(scene.writer.dropped > 100 && scene.writer.written > 30)
        scene.loop.advanceTime(by: .seconds(10))
        #expect(scene.written().suffix(2 * 213).count == 2 * 213)
        #expect(scene.writer.written + scene.writer.dropped == 200)
    }

    @Test func usbHasNoBaudRate() throws {
        let scene = try Scene(isUSB: true)
        for number in [1077, 1087, 1097] { scene.write(Self.frame(number)) }
        #expect(scene.written().count == 3 * Self.frame(1077).count)
    }

    @Test func aReceiverThatIsBeingAskedGetsThemLater() throws {
        let scene = try Scene()
        scene.isBusy = true
        scene.write(Self.frame(1077))
        scene.loop.advanceTime(by: .seconds(1))
        #expect(scene.written().isEmpty)
        scene.isBusy = false
        scene.loop.advanceTime(by: .milliseconds(200))
        #expect(scene.written() == Self.frame(1077))
    }

    @Test func nothingIsWrittenAfterTheEnd() throws {
        let scene = try Scene()
        for number in [1077, 1087] { scene.write(Self.frame(number)) }
        _ = scene.written()
        scene.writer.stop()
        scene.loop.advanceTime(by: .seconds(10))
        #expect(scene.written().isEmpty)
    }

    @Test func whatMayNotReachAReceiverIsDropped() throws {
        let scene = try Scene()
        for number in [1029, 4072, 0] { scene.write(Self.frame(number)) }
        #expect(scene.written().isEmpty && scene.writer.written == 0)
    }
}
