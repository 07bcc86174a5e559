internal import AuthorizationPolicy
internal import Linux
internal import LocationCore

/// A connection to the bus that has called, as a client of the core.
final class BusClient: Client {
    let front = Front.geoclue
    let evidence = PeerEvidence.process
    let pid: Int32
    let uid: UInt32
    private let process: ProcessDescriptor
    private let onClose: () -> Void

    /// Creates a client.
    ///
    /// - Parameter onClose: Called when the core closes the connection.
    init(_ credentials: SenderIdentification.Credentials, process: ProcessDescriptor, onClose: @escaping () -> Void) {
        pid = credentials.pid
        uid = credentials.uid
        self.process = process
        self.onClose = onClose
    }

    func openProcess() throws(IdentityRefusal) -> ProcessDescriptor {
        guard process.isAlive else { throw .processGone }
        return process
    }

    func close() { onClose() }
}

extension Front {
    /// org.freedesktop.GeoClue2, on the system bus.
    static let geoclue = Front(name: "geoclue")
}
