package import Bus
internal import EventLoopSupport
package import NIOCore

extension Bus {
    /// Returns a bus that does not exist, for a part that is not to reach the machine's.
    package static func unused(on loop: any EventLoop) throws -> Bus {
        Bus(address: "unix:path=/nonexistent/bus", poller: try DescriptorPoller(on: loop), on: loop)
    }
}
