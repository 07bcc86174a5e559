internal import Bus
internal import EventLoopSupport
internal import ForeignText
internal import Glibc
internal import LocationModel
internal import LocationProtocol
package import LocationctlSupport
internal import NIOCore

/// The item in the desktop's tray: the apps that use the location, and the decisions that the user can make about them.
///
/// It stays until the process ends. On a desktop without a tray, it does nothing. Confined to the event loop.
package final class Tray {
    private static let watcherName = "org.kde.StatusNotifierWatcher"
    private static let watcherPath = "/StatusNotifierWatcher"

    private let loop: any EventLoop
    private let bus: Bus
    private let watcher: BusService
    private let feed: TrayFeed
    private let poller: DescriptorPoller
    /// The command that shows the dashboard, for the user.
    private let dashboardCommand: String
    private var launcher: DashboardLauncher?
    private var machine: TrayStateMachine
    private var following: (number: Int, task: Task<Void, Never>)?
    private var lastNumber = 0
    /// The tray itself, which has no other owner.
    private var itself: Tray?

    /// Shows the item until the process ends, whenever there is a host for it.
    package static func show(_ daemon: DaemonConnection, uid: Int?) {
        let loop = DaemonConnection.loop
        loop.execute {
            // Without a poller there is no bus, and so no item.
            guard let address = busAddress, let poller = try? DescriptorPoller(on: loop) else { return }
            let tray = Tray(daemon, uid: uid, address, poller, on: loop)
            tray.itself = tray
            tray.watcher.open()
        }
    }

    private init(
        _ daemon: DaemonConnection, uid: Int?, _ address: String, _ poller: DescriptorPoller, on loop: any EventLoop
    ) {
        self.loop = loop
        self.poller = poller
        feed = TrayFeed(daemon, uid: uid)
        machine = TrayStateMachine(isAdministrator: geteuid() == 0, uid: uid)
        dashboardCommand = daemon.command("dashboard")
        bus = Bus(address: address, reading: TrayStateMachine.signatures, poller: poller, on: loop)
        watcher = BusService(Self.watcherName, on: bus)
        bus.onCall = { [unowned self] in receive($0) }
        watcher.onEvent = { [unowned self] _ in perform(machine.watcherChanged(to: watcher.owner)) }
        launcher = DashboardLauncher(daemon.dashboard, poller: poller) { [unowned self] in
            notify("No terminal could be opened", "Run \(dashboardCommand) in a terminal.")
        }
    }

    /// The address of the session bus: D-Bus specification, "Well-known Message Bus Instances"; sd_bus_open_user(3).
    private static var busAddress: String? {
        if let address = getenv("DBUS_SESSION_BUS_ADDRESS") { return String(cString: address) }
        return getenv("XDG_RUNTIME_DIR").map { "unix:path=\(String(cString: $0))/bus" }
    }

    // MARK: The bus

    private func receive(_ call: IncomingCall) {
        let (result, actions) = machine.receive(call.call, at: time)
        switch result {
        case .success(let values): bus.connection.reply(to: call, values)
        case .failure(let error): bus.connection.reply(to: call, error)
        }
        perform(actions)
    }

    private var time: Double { loop.now.seconds }

    // MARK: Actions

    private func perform(_ actions: [TrayStateMachine.Action]) {
        for action in actions {
            switch action {
            case .send(let signal): bus.connection.send(signal, to: nil)
            case .register: register()
            case .follow: follow()
            case .unfollow:
                following?.task.cancel()
                following = nil
            case .read:
                onLoop(feed.read) { tray, lists in
                    tray.perform(tray.machine.read(lists?.grants, lists?.services, at: tray.time))
                }
            case .decide(let decision):
                // The user has clicked, and may be asked for a password.
                let daemon = feed.daemon
                onLoop({ await daemon.refusal(of: decision) }) { tray, failure in
                    tray.perform(tray.machine.decided(failure: failure, at: tray.time))
                }
            case .openDashboard: launcher?.open()
            case .notify(let reason): notify("The change was not made", reason)
            }
        }
    }

    /// Registers the item. A watcher that does not answer counts as missing.
    private func register() {
        watcher.call(
            "RegisterStatusNotifierItem", of: Self.watcherName, at: Self.watcherPath, [.string(TrayItemObject.path)],
            timeout: .seconds(10)
        ) { _ in }
    }

    private func follow() {
        lastNumber += 1
        let (number, bound, loop, uses) = (lastNumber, NIOLoopBound(self, eventLoop: loop), loop, feed.uses)
        let task = Task {
            do {
                try await uses.run { event in loop.execute { bound.value.handle(event, of: number) } }
            } catch {
                loop.execute { bound.value.handle(nil, of: number) }
            }
        }
        following = (number, task)
    }

    /// Handles an event of the feed of apps that use the location; `nil` is its end, because the daemon refuses it.
    private func handle(_ event: Feed<[IndicatorEntry]>.Event?, of number: Int) {
        guard following?.number == number else { return }
        switch event {
        case .value(let uses, _)?: perform(machine.received(uses, at: time))
        case .lost?: perform(machine.lost())
        case nil:
            following = nil
            perform(machine.ended())
        }
    }

    /// Calls the daemon, and then calls `then` with the result on the event loop.
    private func onLoop<Value: Sendable>(
        _ body: @escaping @Sendable () async -> Value, _ then: @escaping @Sendable (Tray, Value) -> Void
    ) {
        let (bound, loop) = (NIOLoopBound(self, eventLoop: loop), loop)
        Task {
            let value = await body()
            loop.execute { then(bound.value, value) }
        }
    }

    /// Shows a notification. Without a notification server, nothing happens.
    private func notify(_ summary: String, _ body: String) {
        bus.connection.call(
            "Notify", of: "org.freedesktop.Notifications", at: "/org/freedesktop/Notifications",
            on: "org.freedesktop.Notifications",
            [
                .string("locationd"), .uint32(0), .string(TrayItemObject.icon), .string(summary),
                .string(ForeignText.escapedForMarkup(body)), .strings([]),
                .properties([PropertyValue("desktop-entry", .string("io.locationd.Dashboard"))]), .int32(-1),
            ], timeout: .seconds(10)
        ) { _ in }
    }
}

extension DaemonConnection {
    /// The command that shows the dashboard of the same daemon, as a list of words.
    fileprivate var dashboard: [String] {
        let own = "/proc/self/exe"
        let path = [CChar](unsafeUninitializedCapacity: 4097) { buffer, count in
            count = max(0, readlink(own, buffer.baseAddress!, buffer.count))
        }
        let program = String(decoding: path.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // After an update, the program may be gone from its former path.
        let name = access(program, X_OK) == 0 ? program : "locationctl"
        let target = directory == installedRuntimeDirectory ? [] : ["--runtime-directory", directory]
        return [name, "dashboard"] + target
    }
}
