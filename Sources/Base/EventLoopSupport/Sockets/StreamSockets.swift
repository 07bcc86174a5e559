package import Linux
package import NIOCore

/// The threads that the stream sockets of an event loop share: one that waits for them, and those that close them.
///
/// They are no channels of NIO, because the other end may be anybody's. A channel receives with read(2), also without
/// being asked to when the peer has closed its end, and closes on the loop: see ``DescriptorCloser`` and
/// `stream_receive` for what a peer can make of that.
package struct StreamSockets {
    package let eventLoop: any EventLoop
    package let poller: DescriptorPoller
    package let closer: DescriptorCloser

    package init(on eventLoop: any EventLoop) throws(SystemCallError) {
        self.eventLoop = eventLoop
        poller = try DescriptorPoller(on: eventLoop)
        closer = DescriptorCloser()
    }

    /// Ends the threads. To be called when all sockets are closed, before the loop ends.
    package func stop() {
        poller.stop()
        closer.stop()
    }
}
