import Glibc
import NIOConcurrencyHelpers
import Testing

@testable import Receivers

/// Reading the connection that BlueZ has passed on.
@Suite struct BluetoothDeviceTests {
    private struct Scene {
        let device: BluetoothDevice
        /// BlueZ's end of the connection.
        let output: CInt
        let received: NIOLockedValueBox<[[UInt8]]>

        init(_ type: __socket_type) throws {
            var ends: [CInt] = [-1, -1]
            try #require(socketpair(AF_UNIX, CInt(type.rawValue), 0, &ends) == 0)
            let received = NIOLockedValueBox<[[UInt8]]>([])
            let session = BluetoothSession(
                address: "", check: { _, _ in true },
                handlers: .init(
                    opened: {}, received: { bytes in received.withLockedValue { $0.append(bytes) } }, charged: { _ in },
                    failed: { _ in }, ended: {}))
            (device, output, self.received) = (BluetoothDevice(session), ends[1], received)
            device.open(ends[0])
        }

        func send(_ bytes: [UInt8]) { #expect(Glibc.send(output, bytes, bytes.count, 0) == bytes.count) }

        func close() {
            device.close()
            Glibc.close(output)
        }
    }

    /// Attack: a program sends messages to the daemon without end, which gets one turn for a portion of them. The turn
    /// is for all notifications that are pending.
    @Test func allPendingNotificationsAreReadAtOnce() throws {
        let scene = try Scene(SOCK_SEQPACKET)
        defer { scene.close() }
        let pieces = (0..<8).map { number in [UInt8](repeating: number, count: 20) }
        for piece in pieces { scene.send(piece) }
        #expect(scene.device.read())
        #expect(scene.received.withLockedValue { $0 } == [Array(pieces.joined())])
        // Nothing is pending.
        #expect(scene.device.read())
        #expect(scene.received.withLockedValue { $0.count } == 1)
    }

    /// A notification that is longer than the rest of the buffer would be cut off.
    @Test func noNotificationIsCutOff() throws {
        let scene = try Scene(SOCK_SEQPACKET)
        defer { scene.close() }
        let pieces = (0..<20).map { number in [UInt8](repeating: number, count: 512 - Int(number) % 3) }
        for piece in pieces { scene.send(piece) }
        for _ in 0..<4 { #expect(scene.device.read()) }
        #expect(scene.received.withLockedValue { Array($0.joined()) } == Array(pieces.joined()))
    }

    @Test(arguments: [SOCK_STREAM, SOCK_SEQPACKET])
    func theLastBytesPrecedeTheEnd(type: __socket_type) throws {
        let scene = try Scene(type)
        scene.send([1, 2, 3])
        shutdown(scene.output, CInt(SHUT_RDWR))
        #expect(!scene.device.read())
        #expect(scene.received.withLockedValue { $0 } == [[1, 2, 3]])
        scene.close()
    }
}
