internal import CLinux
package import Linux
package import NIOCore

/// Reports on an event loop that descriptors are ready, and does nothing else with them.
///
/// A ``PollingLoop`` waits for them itself. NIO's loops wait only for their own channels, which read and close as they
/// see fit: for these, a thread sleeps until a descriptor is ready. Confined to the event loop, except for this thread.
package final class DescriptorPoller {
    /// Events of a descriptor.
    package struct Events: OptionSet, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        init(_ events: poller_events) { rawValue = events.rawValue }

        /// There are bytes to receive, or the end has been reached.
        package static let readable = Events(POLLER_READABLE)
        /// The socket accepts bytes.
        package static let writable = Events(POLLER_WRITABLE)
        /// The other end sends nothing more.
        package static let ended = Events(POLLER_ENDED)
        /// There is an error, or the other end is closed. Always waited for.
        package static let failed = Events(POLLER_FAILED)
    }

    /// The watch of one descriptor. It reports nothing until ``wait(for:)`` is called.
    package final class Watch {
        private let poller: DescriptorPoller
        private let descriptor: CInt
        let id: UInt64
        /// A Boolean value indicating whether the poller keeps the watch, because it has waited.
        var isKept = false
        private var onReady: ((Events) -> Void)?

        fileprivate init(_ descriptor: CInt, of poller: DescriptorPoller, onReady: @escaping (Events) -> Void) {
            self.descriptor = descriptor
            id = poller.watches.makeID()
            self.poller = poller
            self.onReady = onReady
        }

        /// Waits until one of these events has been reported, in place of any earlier wait.
        package func wait(for events: Events) throws(SystemCallError) {
            guard onReady != nil else { return }
            try poller.watches.wait(on: descriptor, self, for: events)
            try poller.thread?.start()
        }

        /// Ends all reports. To be called before the descriptor is closed.
        package func end() {
            guard onReady != nil else { return }
            onReady = nil
            poller.watches.forget(self, descriptor)
        }

        func report(_ events: Events) {
            if !poller.isStopped { onReady?(events) }
        }
    }

    private let watches: DescriptorWatches
    private let thread: PollingThread?
    private var isStopped = false

    package init(on loop: any EventLoop) throws(SystemCallError) {
        if let loop = loop as? PollingLoop {
            watches = loop.watches
            thread = nil
        } else {
            watches = try DescriptorWatches()
            thread = PollingThread(watches, on: loop)
        }
    }

    /// Returns a watch of a descriptor, which must stay open until ``Watch/end()``.
    ///
    /// - Parameter onReady: Called on the loop when one of the expected events has happened.
    package func watch(_ descriptor: CInt, onReady: @escaping (Events) -> Void) -> Watch {
        Watch(descriptor, of: self, onReady: onReady)
    }

    /// Ends all reports. To be called before the loop ends.
    package func stop() {
        isStopped = true
        thread?.stop()
    }
}
