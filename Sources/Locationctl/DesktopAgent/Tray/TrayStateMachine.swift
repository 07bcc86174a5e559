internal import Bus
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// The rules of the tray's item: its registration with a watcher, the answers of its objects, and the effect of a
/// click.
///
/// Attack: every program on the session bus can call the objects, as often as it likes. It can do no more than the
/// user's own programs: the daemon and polkit authorize the effect of a click, only one decision is under way at a
/// time, and a refusal drops the waiting decisions, so that password dialogs cannot queue up. A sandboxed program
/// reaches only names that its sandbox allows, and the item has no name: it is registered by its path.
struct TrayStateMachine {
    enum Action: Equatable {
        case send(BusSignal)
        /// Register the item with the watcher that has this unique name.
        case register(String)
        /// Observe the daemon's indicator, or stop observing it.
        case follow, unfollow
        /// Read the apps and the switch: the daemon does not announce changes to the switch.
        case read
        case decide(UserDecision)
        case openDashboard
        /// Notify the user of a failure.
        case notify(String)
    }

    /// The least time between two readings that a host causes, in seconds.
    static let readingInterval = 1.0
    /// The least time between two openings of the dashboard, in seconds: a second click is a double click.
    static let openingInterval = 2.0
    /// The maximum number of decisions that wait for the one that is under way.
    static let maximumWaiting = 8

    private(set) var state: TrayState
    private(set) var item: TrayItemObject
    private(set) var menu: TrayMenuObject
    /// The unique name of the watcher, the program that announces items to hosts, or `nil` if there is none.
    private var watcher: String?
    private var isRegistered = false
    private var isFollowing = false
    private var isReading = false
    private var isReadingWanted = false
    private var lastReading: Double?
    private var lastOpening: Double?
    /// The decision that is under way.
    private var deciding: UserDecision?
    /// The decisions to make after the current decision is made and the menu shows its result.
    private var waiting: [UserDecision] = []

    init(isAdministrator: Bool, uid: Int? = nil) {
        state = TrayState(isAdministrator: isAdministrator, uid: uid)
        item = TrayItemObject(state)
        menu = TrayMenuObject(TrayMenu(state))
    }

    // MARK: The watcher

    /// Handles a change of the owner of the watcher's name. Without a watcher, the tray does nothing and makes no
    /// calls.
    mutating func watcherChanged(to owner: String?) -> [Action] {
        guard owner != watcher else { return [] }
        watcher = owner
        isRegistered = false
        guard owner != nil else {
            guard isFollowing else { return [] }
            isFollowing = false
            _ = lost()
            return [.unfollow]
        }
        guard isFollowing else {
            isFollowing = true
            return [.follow]
        }
        return register()
    }

    /// Registers the item once it has contents: never, if the daemon refuses to list the apps that use the location.
    private mutating func register() -> [Action] {
        guard let watcher, state.isConnected, !isRegistered else { return [] }
        isRegistered = true
        return [.register(watcher)]
    }

    // MARK: The daemon

    /// Handles the list of apps that use the location.
    mutating func received(_ uses: [IndicatorEntry], at time: Double) -> [Action] {
        guard isFollowing else { return [] }
        state.received(uses)
        return update() + register() + read(at: time)
    }

    /// Handles the loss of the daemon.
    mutating func lost() -> [Action] {
        state.lost()
        return update()
    }

    /// Handles the end of the list, which the daemon refuses. The list is requested again when another watcher appears.
    mutating func ended() -> [Action] {
        isFollowing = false
        return lost()
    }

    /// Handles the end of a reading, which may have failed.
    mutating func read(_ grants: [AppSummary]?, _ services: GetServices.Reply?, at time: Double) -> [Action] {
        isReading = false
        if let grants, let services, state.isConnected { state.received(grants, services) }
        let changes = update()
        return changes + (isReadingWanted ? read(at: time) : decideNext())
    }

    /// Handles the end of a decision. `failure` is the reason if it was not made.
    mutating func decided(failure: String?, at time: Double) -> [Action] {
        deciding = nil
        if failure != nil { waiting = [] }
        return (failure.map { [.notify($0)] } ?? []) + read(at: time)
    }

    private mutating func read(at time: Double) -> [Action] {
        isReadingWanted = isReading
        guard !isReading else { return [] }
        isReading = true
        lastReading = time
        return [.read]
    }

    private mutating func update() -> [Action] {
        let signals = item.change(to: state) + menu.change(to: TrayMenu(state))
        return isRegistered ? signals.map { .send($0) } : []
    }

    // MARK: The user

    /// Handles an event of an item. Returns `nil` if the item is not in the menu.
    mutating func event(_ number: Int32, _ name: String, at time: Double) -> [Action]? {
        guard let item = menu.item(number) else { return nil }
        guard name == "clicked", let command = item.command else { return [] }
        guard case .decide(let decision) = command else { return openDashboard(at: time) }
        guard deciding != nil || !waiting.isEmpty else { return decide(decision) }
        if decision != deciding, !waiting.contains(decision), waiting.count < Self.maximumWaiting {
            waiting.append(decision)
        }
        return []
    }

    private mutating func decide(_ decision: UserDecision) -> [Action] {
        deciding = decision
        return [.decide(decision)]
    }

    /// Makes the first waiting decision. It has the revision from the time of the click: after another change, the
    /// daemon refuses it, and the user is notified.
    private mutating func decideNext() -> [Action] {
        deciding == nil && !waiting.isEmpty ? decide(waiting.removeFirst()) : []
    }

    /// Handles a host's announcement that it is about to open the menu.
    mutating func aboutToShow(at time: Double) -> [Action] {
        guard state.isConnected, lastReading.map({ time - $0 >= Self.readingInterval }) ?? true else { return [] }
        return read(at: time)
    }

    mutating func openDashboard(at time: Double) -> [Action] {
        guard lastOpening.map({ time - $0 >= Self.openingInterval }) ?? true else { return [] }
        lastOpening = time
        return [.openDashboard]
    }
}
