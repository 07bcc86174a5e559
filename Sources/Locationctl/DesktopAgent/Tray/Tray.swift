internal import Bus
internal import EventLoopSupport
internal import ForeignText
internal import Glibc
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport
internal import NIOCore

/// The item in the desktop's tray: the apps that use the location, and the decisions that the user can make about them.
///
/// It stays until the process ends. On a desktop without a tray, it does nothing. Confined to the event loop.
final class Tray {
    private static let watcherName = "org.kde.StatusNotifierWatcher"
    private static let watcherPath = "/StatusNotifierWatcher"

    private let loop: any EventLoop
    private let bus: Bus
    private let watcher: BusService
    private let feed: TrayFeed
    private let uses: LoopFeed<[IndicatorEntry]>
    /// The command that shows the dashboard, for the user.
    private let dashboardCommand: String
    private var launcher: DashboardLauncher?
    private var machine: TrayStateMachine
    /// The tray itself, which has no other owner.
    private var itself: Tray?

    /// Shows the item until the process ends, whenever there is a host for it.
    static func show(
        _ daemon: DaemonConnection, uid: Int?, on bus: Bus, poller: DescriptorPoller, loop: any EventLoop
    ) {
        let tray = Tray(daemon, uid: uid, bus, poller, on: loop)
        tray.itself = tray
        tray.watcher.open()
    }

    private init(
        _ daemon: DaemonConnection, uid: Int?, _ bus: Bus, _ poller: DescriptorPoller, on loop: any EventLoop
    ) {
        self.loop = loop
        self.bus = bus
        feed = TrayFeed(daemon, uid: uid)
        uses = LoopFeed(feed.uses, on: loop)
        machine = TrayStateMachine(isAdministrator: geteuid() == 0, uid: uid)
        dashboardCommand = daemon.command("dashboard")
        watcher = BusService(Self.watcherName, on: bus)
        bus.onCall = { [unowned self] in receive($0) }
        watcher.onEvent = { [unowned self] _ in perform(machine.watcherChanged(to: watcher.owner)) }
        uses.onEvent = { [unowned self] in handle($0) }
        launcher = DashboardLauncher(daemon.dashboard, poller: poller) { [unowned self] in
            notify(
                translated("No terminal could be opened"),
                translated("Run {command} in a terminal.", ["command": dashboardCommand]))
        }
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
            case .follow: uses.start()
            case .unfollow: uses.stop()
            case .read:
                loop.run(feed.read) { [unowned self] lists in
                    perform(machine.read(lists?.grants, lists?.services, at: time))
                }
            case .decide(let decision):
                // The user has clicked, and may be asked for a password.
                let daemon = feed.daemon
                loop.run({ await daemon.refusal(of: decision) }) { [unowned self] failure in
                    perform(machine.decided(failure: failure, at: time))
                }
            case .openDashboard: launcher?.open()
            case .notify(let reason): notify(translated("The change was not made"), reason)
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

    /// Handles an event of the feed of apps that use the location; `nil` is its end, because the daemon refuses it.
    private func handle(_ event: Feed<[IndicatorEntry]>.Event?) {
        switch event {
        case .value(let uses, _)?: perform(machine.received(uses, at: time))
        case .lost?: perform(machine.lost())
        case nil: perform(machine.ended())
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
