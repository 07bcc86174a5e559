import EventLoopSupport
import NIOCore
package import RTCM

/// Writes corrections to the receiver at a serial port, no faster than the port sends them. Confined to the event loop.
package final class CorrectionWriter {
    /// The longest time for the bytes that were written and not sent, so that a command to the receiver is not late.
    private static let maximumBacklog = TimeAmount.milliseconds(100)
    /// The time that corrections arrive until the receiver is asked to report on them. The first ones do not wait.
    private static let reportDelay = TimeAmount.seconds(1)
    /// The delay while a command is being answered.
    private static let busyDelay = TimeAmount.milliseconds(200)

    /// The number of frames that were written.
    package private(set) var written = 0
    /// The number of frames that were dropped for newer ones.
    package var dropped: Int { queue.dropped }

    /// The corrections so far, or `nil` if there were none.
    package private(set) var flow: CorrectionFlow?

    private let output: SerialOutput
    private let isUSB: Bool
    private let isBusy: () -> Bool
    private let timer: LoopTimer
    private var queue = CorrectionQueue()
    private let eventLoop: any EventLoop
    /// The time of the first frame.
    private var firstWrite: NIODeadline?
    private var onFlow: (() -> Void)?

    /// - Parameters:
    ///   - isUSB: `true` for the receiver's own USB, whose speed is not the baud rate.
    ///   - onFlow: Called once, when corrections have arrived for a second.
    ///   - isBusy: Returns whether the receiver is being asked or set.
    init(
        _ output: SerialOutput, isUSB: Bool, on eventLoop: any EventLoop, onFlow: (() -> Void)? = nil,
        isBusy: @escaping () -> Bool
    ) {
        (self.output, self.isUSB, self.isBusy) = (output, isUSB, isBusy)
        (self.eventLoop, self.onFlow) = (eventLoop, onFlow)
        timer = LoopTimer(on: eventLoop)
    }

    /// Writes a frame, now or when the port has sent the earlier ones. Drops a frame that may not reach a receiver.
    package func write(_ frame: RTCMFrame, _ bytes: Span<UInt8>) {
        let now = eventLoop.now
        var flow = flow ?? CorrectionFlow()
        defer { self.flow = flow }
        guard queue.append(frame, bytes) else { return flow.refuse() }
        flow.add(frame, bytes, outdated: queue.dropped, at: now)
        if let onFlow, now - (firstWrite ?? now) >= Self.reportDelay {
            self.onFlow = nil
            onFlow()
        }
        firstWrite = firstWrite ?? now
        if !timer.isSet { drain() }
    }

    /// Drops the waiting frames, because the port is closed.
    func stop() {
        timer.cancel()
        queue.removeAll()
    }

    private func drain() {
        while !queue.isEmpty {
            if isBusy() { return wait(Self.busyDelay) }
            if !isUSB, output.backlog > Self.maximumBacklog { return wait(output.backlog - Self.maximumBacklog) }
            guard let bytes = queue.removeFirst() else { return }
            output.write(bytes)
            written += 1
        }
    }

    private func wait(_ time: TimeAmount) {
        timer.set(in: time) { [unowned self] in drain() }
    }
}
