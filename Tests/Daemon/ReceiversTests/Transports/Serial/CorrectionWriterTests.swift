import Foundation
import LocationModel
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
        /// A Boolean value indicating whether the receiver was asked to report on corrections.
        var isAsked: Bool { asked.value }
        private let busy = Flag()
        private let asked = Flag()
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
            writer = CorrectionWriter(
                output, isUSB: isUSB, on: loop, onFlow: { [asked] in asked.value.toggle() },
                isBusy: { [busy] in busy.value })
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
        let flow = try #require(scene.writer.flow)
        #expect(flow.refused == 3 && flow.age(at: scene.loop.now) == nil && flow.station == nil)
    }

    @Test func theReceiverIsAskedOnceAndTheFirstFramesDoNotWait() throws {
        let scene = try Scene(isUSB: true)
        #expect(scene.writer.flow == nil)
        for _ in 0..<3 { scene.write(Self.frame(1077)) }
        scene.loop.advanceTime(by: .milliseconds(999))
        scene.write(Self.frame(1077))
        #expect(!scene.isAsked && scene.writer.written == 4)
        for _ in 0..<5 {
            scene.loop.advanceTime(by: .milliseconds(1))
            scene.write(Self.frame(1077))
            #expect(scene.isAsked)
        }
    }

    // MARK: The flow

    /// The standard's example is near Washington, at 77.066° west.
    @Test func stationAgeRateAndDistance() throws {
        let scene = try Scene(baudRate: 115_200)
        for time in 0..<25 {
            if time % 5 == 0 { scene.write(RTCMFrames.referencePoint) }
            for number in [1077, 1087, 1097] {
                scene.write(RTCMFrames.message(number, station: 2003, time: time))
            }
            scene.loop.advanceTime(by: .seconds(1))
        }
        let flow = try #require(scene.writer.flow)
        #expect(flow.station == 2003 && flow.age(at: scene.loop.now) == 1)
        #expect(flow.rate == 3.2 && flow.refused == 0 && flow.outdated == 0)
        #expect(!flow.isSuspicious(at: scene.loop.now))
        let place = try #require(Ellipsoid.wgs84.place(x: 1_114_104.5999, y: -4_850_729.7108, z: 3_975_521.4643))
        var location = Location(
            timestamp: Timestamp(millisecondsSince1970: 0), latitude: place.latitude, longitude: place.longitude)
        #expect(abs(flow.distance(to: location) ?? 1) < 0.001)
        location.latitude += 0.1
        #expect(abs((flow.distance(to: location) ?? 0) - 11_100) < 20)
    }

    /// Attack: intact frames with another reference point move the receiver's position.
    @Test func aReferencePointThatMovesIsSuspicious() throws {
        let scene = try Scene(isUSB: true)
        func write(_ x: Double, station: Int = 7) -> Bool? {
            scene.write(RTCMFrames.referencePoint(station: station, x: x, y: -4_850_729, z: 3_975_521))
            return scene.writer.flow?.isSuspicious(at: scene.loop.now)
        }
        #expect(write(1_114_104) == false)
        #expect(write(1_116_104) == true)
        #expect(write(1_116_104) == true)
        scene.loop.advanceTime(by: .seconds(10))
        #expect(write(1_116_104) == false)
        #expect(write(1_118_104, station: 8) == false)
        // After a pause, another caster may have a station of that number.
        scene.loop.advanceTime(by: .seconds(11))
        #expect(write(1_114_104, station: 8) == false)
    }
}
