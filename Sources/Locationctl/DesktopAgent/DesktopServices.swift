internal import Bus
internal import EventLoopSupport
internal import Glibc
package import LocationctlSupport
internal import NIOCore

/// The parts of the agent on a desktop that share a connection to the session bus: the item in the tray, and the mirror
/// of decisions in the permission store.
package struct DesktopServices: Sendable {
    private let daemon: DaemonConnection
    private let uid: Int?
    private let hasTray: Bool
    private let loop: any EventLoop
    /// The mirror, once it is started.
    private let mirror: NIOLoopBoundBox<PermissionMirror?>

    /// - Parameter uid: The user whose apps they are about, or `nil` for the caller.
    package init(_ daemon: DaemonConnection, uid: Int?, hasTray: Bool) {
        (self.daemon, self.uid, self.hasTray) = (daemon, uid, hasTray)
        loop = DaemonConnection.loop
        mirror = NIOLoopBoundBox<PermissionMirror?>.makeEmptyBox(valueType: PermissionMirror.self, eventLoop: loop)
    }

    /// Starts the parts.
    package func start() {
        let (daemon, uid, hasTray, loop, mirror) = (daemon, uid, hasTray, loop, mirror)
        loop.execute {
            // Without a poller there is no bus, and so nothing to do.
            guard let address = Self.busAddress, let poller = try? DescriptorPoller(on: loop) else { return }
            let bus = Bus(address: address, reading: TrayStateMachine.signatures, poller: poller, on: loop)
            mirror.value = PermissionMirror.start(daemon, uid: uid, on: bus, loop: loop)
            if hasTray { Tray.show(daemon, uid: uid, on: bus, poller: poller, loop: loop) }
        }
    }

    /// Ends the mirror, before the process ends. The item in the tray goes with the connection to the bus.
    package func stop() async {
        let (loop, box) = (loop, mirror)
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            loop.execute {
                guard let mirror = box.value else { return continuation.resume() }
                mirror.end { continuation.resume() }
            }
        }
    }

    /// The address of the session bus: D-Bus specification, "Well-known Message Bus Instances"; sd_bus_open_user(3).
    private static var busAddress: String? {
        if let address = getenv("DBUS_SESSION_BUS_ADDRESS") { return String(cString: address) }
        return getenv("XDG_RUNTIME_DIR").map { "unix:path=\(String(cString: $0))/bus" }
    }
}
