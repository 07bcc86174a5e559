package import EventLoopSupport
package import NIOCore

/// A bus, with one connection for all clients of its services in this process: the first one opens it, the last one
/// closes it.
///
/// It logs nothing: each ``BusService`` tells its client why there is none. Confined to the event loop.
package final class Bus: BusConnectionDelegate {
    /// The connection, for what is no call of a service: signals, and calls of others.
    package let connection: BusConnection
    /// Handles the calls of others. Without it, they get an error.
    package var onCall: ((IncomingCall) -> Void)?

    private let loop: any EventLoop
    /// The services whose clients need the connection, in the order they were opened.
    private var services: [BusService] = []

    /// Creates a bus without a connection.
    ///
    /// - Parameters:
    ///   - address: The address of the bus, or `nil` for the system bus: that in DBUS_SYSTEM_BUS_ADDRESS, or the
    ///     machine's.
    ///   - signatures: The signatures of the calls of others whose arguments are read.
    ///   - poller: Waits for the bus.
    package init(
        address: String? = nil, reading signatures: Set<String> = [], poller: DescriptorPoller, on loop: any EventLoop
    ) {
        self.loop = loop
        connection = BusConnection(address: address, reading: signatures, poller: poller, on: loop)
        connection.delegate = self
    }

    deinit { connection.stop() }

    /// The id of the bus, which changes when it is started again. `nil` before the first connection.
    package var id: String? { connection.id }

    /// Disconnects. Nothing is called any more.
    package func stop() {
        services = []
        connection.stop()
    }

    // MARK: The services

    /// Connects, now, unless there is a connection, and tells the service once there is.
    func open(_ service: BusService) {
        if !services.contains(where: { $0 === service }) { services.append(service) }
        guard connection.isConnected else { return connection.start() }
        // Not within the call of its client.
        let bound = NIOLoopBound((self, service), eventLoop: loop)
        loop.execute {
            let (bus, service) = bound.value
            if bus.connection.isConnected { service.connected() }
        }
    }

    /// Closes a service, and the connection with the last one.
    func close(_ service: BusService) {
        services.removeAll { $0 === service }
        if services.isEmpty { connection.disconnect() }
    }

    package func connected() { for service in services { service.connected() } }

    package func disconnected(_ reason: String?) {
        for service in services { service.disconnected(reason ?? "") }
    }

    package func receive(_ call: IncomingCall) {
        if let onCall { onCall(call) } else { connection.reply(to: call, .unknownObject) }
    }

    package func receive(_ signal: BusMessage) {
        for service in services {
            signal.rewind()
            service.receive(signal)
        }
    }
}
