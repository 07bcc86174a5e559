import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import TestSupport

/// Plays logs to gpsd in step with it. gpsd makes one report of everything it reads at once, so each sentence is sent
/// when gpsd has repeated the one before.
final class GPSDPlayer: Sendable {
    private let wire: Wire
    private let channel: any Channel
    private let received: NIOLockedValueBox<Received>

    private struct Received {
        var sentences = 0
        var versions = 0
        var isWatching = false
    }

    /// Waits until gpsd has opened its serial ports, which it does before it answers. Earlier bytes would be lost.
    ///
    /// - Parameter port: gpsd's listening port.
    init(_ wire: Wire, port: Int) async throws {
        self.wire = wire
        let received = NIOLockedValueBox(Received())
        self.received = received
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Reader(received))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        try await channel.writeAndFlush(ByteBuffer(string: "?WATCH={\"enable\":true,\"nmea\":true};\n"))
        try await eventually("gpsd's answer") { received.withLockedValue(\.isWatching) }
    }

    deinit { channel.close(promise: nil) }

    /// Sends a log. gpsd does not repeat damaged lines. For any other line that it does not repeat, the kernel has a
    /// tenth of a second to bring it to gpsd: its answer then comes after the line.
    func play(_ log: some Collection<UInt8>) async throws {
        for line in log.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let before = received.withLockedValue(\.sentences)
            try await wire.send(line + [UInt8(ascii: "\n")])
            guard Self.isWhole(line) else { continue }
            try? await eventually("the sentence", seconds: 0.1) { received.withLockedValue(\.sentences) > before }
            if received.withLockedValue(\.sentences) == before { try await waitForAnswer() }
        }
    }

    /// Waits until gpsd answers. It reads its serial ports before its clients' requests, so it has read the last line.
    private func waitForAnswer() async throws {
        let before = received.withLockedValue(\.versions)
        try await channel.writeAndFlush(ByteBuffer(string: "?VERSION;\n"))
        try await eventually("gpsd's version") { received.withLockedValue(\.versions) > before }
    }

    /// Returns whether the line is a sentence with the correct checksum, or without one.
    private static func isWhole(_ line: some Collection<UInt8>) -> Bool {
        guard line.first == UInt8(ascii: "$") || line.first == UInt8(ascii: "!") else { return false }
        guard let asterisk = line.firstIndex(of: UInt8(ascii: "*")) else { return true }
        let told = String(decoding: line[asterisk...].dropFirst().prefix(2), as: UTF8.self)
        return UInt8(told, radix: 16) == line[..<asterisk].dropFirst().reduce(0, ^)
    }

    /// Counts the lines that are sentences and those that are versions, and looks for the answer to WATCH.
    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let received: NIOLockedValueBox<Received>
        private var line: [UInt8] = []

        init(_ received: NIOLockedValueBox<Received>) { self.received = received }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            for byte in unwrapInboundIn(data).readableBytesView {
                line.append(byte)
                guard byte == UInt8(ascii: "\n") else { continue }
                received.withLockedValue { received in
                    if line[0] == UInt8(ascii: "$") || line[0] == UInt8(ascii: "!") { received.sentences += 1 }
                    if line.starts(with: #"{"class":"VERSION""#.utf8) { received.versions += 1 }
                    if line.starts(with: #"{"class":"WATCH""#.utf8) { received.isWatching = true }
                }
                line.removeAll(keepingCapacity: true)
            }
        }
    }
}
