internal import Bus
internal import Bytewise
internal import EventLoopSupport
internal import Glibc
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport
internal import NIOCore

/// The decisions about the user's apps in the desktop's permission store, for the page of GNOME's settings that shows
/// and revokes them (Privacy, Location).
///
/// Only apps with a desktop file are mirrored, and no Flatpaks, whose entries are the portal's. It stays until
/// ``end(_:)``, and does nothing while the store is not running. Confined to the event loop.
final class PermissionMirror {
    private static let name = "org.freedesktop.impl.portal.PermissionStore"
    private static let path = "/org/freedesktop/impl/portal/PermissionStore"
    /// The names of the table and of its only object.
    private static let location = BusValue.string("location")
    private static let timeout = TimeAmount.seconds(10)
    /// The time that the store has for the last changes.
    private static let endTimeout = TimeAmount.seconds(1)
    /// The maximum number of entries. The mirror does nothing with a store that has more.
    private static let maximumCount = 1024

    private let loop: any EventLoop
    private let daemon: DaemonConnection
    private let scope: UserScope
    private let store: BusService
    private let apps: LoopFeed<[AppSummary]>
    private let timer: LoopTimer
    private let retry: Retry
    private var machine = PermissionMirrorStateMachine()

    /// Mirrors the decisions about a user's apps from now on. For `nil`, they are the caller's apps.
    static func start(_ daemon: DaemonConnection, uid: Int?, on bus: Bus, loop: any EventLoop) -> PermissionMirror {
        let mirror = PermissionMirror(daemon, uid: uid ?? Int(getuid()), on: bus, loop: loop)
        // The handlers keep the mirror.
        mirror.store.onEvent = { _ in mirror.perform(mirror.machine.storeChanged(to: mirror.store.owner)) }
        mirror.store.onSignal = { mirror.receive($0) }
        mirror.apps.onEvent = { mirror.handle($0) }
        mirror.store.open()
        return mirror
    }

    /// Removes the agent's entries. Calls `body` once the store has done so, or does not answer.
    func end(_ body: @escaping () -> Void) {
        store.onEvent = nil
        retry.cancel()
        perform(machine.ending())
        guard store.owner != nil else { return body() }
        timer.set(in: Self.endTimeout, body)
        // The store performs calls in their order.
        store.call("Lookup", of: Self.name, at: Self.path, [Self.location, Self.location], timeout: Self.endTimeout) {
            [timer] _ in
            guard timer.isSet else { return }
            timer.cancel()
            body()
        }
    }

    private init(_ daemon: DaemonConnection, uid: Int, on bus: Bus, loop: any EventLoop) {
        self.loop = loop
        self.daemon = daemon
        let scope = UserScope(uid: uid, allowInteractiveAuthentication: false)
        self.scope = scope
        store = BusService(Self.name, on: bus, signals: ["path='\(Self.path)',member='Changed',arg0='location'"])
        apps = LoopFeed(
            Feed<[AppSummary]>(isTemporary: { error, _ in error.isUnreachable }) { onValue in
                try await daemon.lists(MonitorApps.self, scope) { list in
                    onValue(list.apps.filter(PermissionMirror.isShown))
                    return true
                }
            }, on: loop)
        timer = LoopTimer(on: loop)
        // The list of apps is requested again in a minute, if the daemon refuses it.
        retry = Retry(Backoff(first: 60, greatest: 60), on: loop)
    }

    /// Returns whether an app has a desktop file that is not a Flatpak's: a Flatpak may have the ID of another app.
    private static func isShown(_ app: AppSummary) -> Bool {
        let all = DesktopEntry.folders
        guard DesktopEntry(of: app.app, in: all, languages: []) != nil else { return false }
        var flatpaks = all
        flatpaks.system.removeAll { !$0.hasSuffix("/exports/share") }
        flatpaks.own.removeAll { !$0.hasSuffix("/exports/share") }
        return DesktopEntry(of: app.app, in: flatpaks, languages: []) == nil
    }

    // MARK: Events

    private var time: Double { loop.now.seconds }

    private func handle(_ event: Feed<[AppSummary]>.Event?) {
        switch event {
        case .value(let apps, _)?: perform(machine.received(apps))
        case .lost?: machine.lost()
        case nil:
            machine.ended()
            retry.schedule { [self] in perform(machine.retried()) }
        }
    }

    /// Handles the signal that reports a change of the table, with all of its entries.
    private func receive(_ signal: BusMessage) {
        guard signal.member == "Changed", signal.readString() == "location", signal.readString() == "location",
            signal.readBoolean() != nil, signal.readVariant({ _ in true }) != nil
        else { return }
        perform(machine.received(Self.entries(in: signal), at: time))
    }

    /// Reads entries. Returns `nil` if they cannot be read.
    private static func entries(in message: BusMessage) -> [BytewiseString: PermissionEntry]? {
        let texts: [BytewiseString: [String]]? = message.readDictionary(
            of: "sas", upTo: maximumCount, key: { message.readString().map { BytewiseString($0) } }
        ) { _ in message.readArray(of: "s") { message.readString() } }
        return texts?.compactMapValues { PermissionEntry($0) }
    }

    // MARK: Actions

    private func perform(_ actions: [PermissionMirrorStateMachine.Action]) {
        for action in actions {
            switch action {
            case .follow: apps.start()
            case .unfollow: apps.stop()
            case .readEntries: readEntries()
            case .readUses:
                let (daemon, scope) = (daemon, scope)
                loop.run({ try? await daemon.list(GetIndicator.self, scope).apps }) { [self] uses in
                    perform(machine.received(uses ?? [], at: time))
                }
            case .write(let entry, let id):
                let name = [Self.location, .boolean(true), Self.location, .string(id)]
                call("SetPermission", name + [.strings(entry.texts)])
            case .remove(let id): call("DeletePermission", [Self.location, Self.location, .string(id)])
            case .decide(let decision):
                // The user has clicked, and may be asked for a password.
                let daemon = daemon
                loop.run({ await daemon.refusal(of: decision) }) { [self] refusal in
                    if let refusal { Terminal.writeError("locationctl: \(refusal)\n") }
                    perform(machine.decided(isMade: refusal == nil, at: time))
                }
            case .wait(let seconds):
                timer.set(in: .clamping(seconds: seconds)) { [self] in perform(machine.waited(at: time)) }
            }
        }
    }

    private func readEntries() {
        store.call("Lookup", of: Self.name, at: Self.path, [Self.location, Self.location], timeout: Self.timeout) {
            [self] reply in
            switch reply {
            case .message(let message): perform(machine.received(Self.entries(in: message), at: time))
            // The table has no entry yet.
            case .failure: perform(machine.received([:], at: time))
            case .none: break
            }
        }
    }

    private func call(_ method: String, _ arguments: [BusValue]) {
        store.call(method, of: Self.name, at: Self.path, arguments, timeout: Self.timeout) { _ in }
    }
}
