package import Linux
package import NIOCore

/// The threads that the stream sockets of an event loop share: one waits for events, the others close descriptors.
///
/// Stream sockets are not channels of NIO, because any process may hold the other end. A channel receives with read(2),
/// even without being asked to when the peer has closed its end, and closes on the loop. ``DescriptorCloser`` and
/// `stream_receive` describe how a peer can abuse that.
package struct StreamSockets {
    package let eventLoop: any EventLoop
    package let poller: DescriptorPoller
    package let closer: DescriptorCloser

    package init(on eventLoop: any EventLoop) throws(SystemCallError) {
        self.eventLoop = eventLoop
        poller = try DescriptorPoller(on: eventLoop)
        closer = DescriptorCloser()
    }

    /// Ends the threads. To be called after all sockets are closed, before the loop ends.
    package func stop() {
        poller.stop()
        closer.stop()
    }
}
