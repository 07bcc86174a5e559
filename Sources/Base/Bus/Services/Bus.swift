package import EventLoopSupport
package import NIOCore

/// A bus, with one connection for all clients of its services in this process. The first client opens the connection,
/// and the last one closes it.
///
/// The bus logs nothing: each ``BusService`` reports the reason for a missing service to its client. Confined to the
/// event loop.
package final class Bus: BusConnectionDelegate {
    /// The connection, for messages that are not calls of a service, such as signals and replies.
    package let connection: BusConnection
    /// Handles calls from other programs. While it is `nil`, they get an error.
    package var onCall: ((IncomingCall) -> Void)?

    /// A Boolean value indicating whether it is the system bus of this machine.
    package let isOfMachine: Bool

    private let loop: any EventLoop
    /// The services whose clients need the connection, in the order of opening.
    private var services: [BusService] = []

    /// Creates a bus without a connection.
    ///
    /// - Parameters:
    ///   - address: The address of the bus, or `nil` for the system bus, at DBUS_SYSTEM_BUS_ADDRESS or the machine's
    ///     standard address.
    ///   - signatures: The signatures of other programs' calls whose arguments are read.
    ///   - poller: Waits for the bus.
    package init(
        address: String? = nil, reading signatures: Set<String> = [], poller: DescriptorPoller, on loop: any EventLoop
    ) {
        self.loop = loop
        isOfMachine = address == nil
        connection = BusConnection(address: address, reading: signatures, poller: poller, on: loop)
        connection.delegate = self
    }

    deinit { connection.stop() }

    /// The id of the bus, which changes when the bus is started again. `nil` before the first connection.
    package var id: String? { connection.id }

    /// Disconnects permanently. No handler is called afterwards.
    package func stop() {
        services = []
        connection.stop()
    }

    // MARK: Services

    /// Connects unless there is a connection, and notifies the service once there is one.
    func open(_ service: BusService) {
        if !services.contains(where: { $0 === service }) { services.append(service) }
        guard connection.isConnected else { return connection.start() }
        // Not within the call of the service's client.
        let bound = NIOLoopBound((self, service), eventLoop: loop)
        loop.execute {
            let (bus, service) = bound.value
            if bus.connection.isConnected { service.connected() }
        }
    }

    /// Closes a service. The connection ends with the last service.
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
