internal import EventLoopSupport

/// The way of corrections from a caster: the source table, the choice of a station, the stream, and the next attempt
/// after a failure.
///
/// Casters ban the address of a program that repeats failed requests. So an attempt never follows the last connection
/// within 10 s, the delays grow to 10 minutes, and only a minute of corrections makes them short again: neither a
/// connection nor an answer does. A request that cannot succeed is not repeated at all; but after one for a mount point
/// that does not exist, the table is read once, for the names of the others.
package struct CasterStateMachine: Sendable {
    package enum Event: Sendable, Equatable {
        /// An app needs corrections, or none does.
        case needed(Bool)
        /// The location, with the accuracy of the subscription.
        case located(Place)
        /// The location is not known any more, or not granted.
        case unlocated
        /// The caster has accepted the request for a mount point or for the table.
        case answered(CasterAnswer.Content)
        /// The table has been read, as far as it is permitted to reach.
        case tableRead(SourceTable)
        /// An intact frame has arrived.
        case frame
        case refused(CasterRefusal)
        /// The connection has failed or ended.
        case failed(String)
        /// The `deadline` has passed.
        case wake
    }

    package enum Action: Sendable, Equatable {
        /// Connect, and request a mount point, or the source table.
        case connect(mount: String?)
        /// Send the last location to the caster.
        case sendPosition
        case disconnect
        case report(CasterStatus)
    }

    /// The time for connecting and for the answer, and for reading a table, in seconds.
    static let answerTimeout = 60.0
    /// The time without a frame that ends a connection, in seconds.
    static let silenceLimit = 60.0
    /// The time until the first frame, in seconds. Corrections that are computed for a place need longer.
    static let firstFrameLimit = 120.0
    /// The time with frames after which the next delay is short again, in seconds.
    static let healthyTime = 60.0
    /// The shortest time between the end of a connection and the next attempt, in seconds.
    package static let minimumDelay = 10.0
    /// The maximum delay before jitter, in seconds.
    static let maximumDelay = 600.0
    /// The time after which a table is read again if a station has failed, in seconds.
    static let tableLifetime = 3600.0
    /// The distance from the last position sent that makes the next one due at once, in metres.
    static let movement = 2000.0

    private enum Phase {
        case unneeded
        /// The next attempt is made at a time.
        case waiting(until: Double)
        /// The next attempt is made when there is a location, or one near a station.
        case awaitingLocation
        case connecting(Station?, until: Double)
        case streaming(Stream)
        case stopped
    }

    private struct Stream {
        let mount: String
        /// The time when silence ends the connection.
        var silentUntil: Double
        var firstFrame: Double?
        /// The time when the next position is due, or `nil` if none is sent.
        var positionDue: Double?
    }

    private let plan: CasterPlan
    private let interval: Double
    private let random: @Sendable () -> Double
    private var backoff = Backoff(first: minimumDelay, greatest: maximumDelay)
    private var phase = Phase.unneeded
    /// The time before which there is no attempt.
    private var notBefore = -Double.infinity
    private var table: (contents: SourceTable, time: Double)?
    private var mount: String?
    /// A Boolean value indicating whether the mount point does not exist, and the table is read for the others only.
    private var isMountMissing = false
    private var place: Place?
    private var sentPlace: Place?

    /// - Parameters:
    ///   - interval: The time between two positions sent, in seconds.
    ///   - random: Returns a number from 0 to 1, for the variation of the delays.
    package init(
        _ plan: CasterPlan, interval: Double = 60,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
    ) {
        (self.plan, self.interval, self.random) = (plan, interval, random)
    }

    /// The time of the next event ``Event/wake``, or `nil` if there is none.
    package var deadline: Double? {
        switch phase {
        case .unneeded, .awaitingLocation, .stopped: nil
        case .waiting(let until), .connecting(_, let until): until
        case .streaming(let stream): min(stream.silentUntil, stream.positionDue ?? .infinity)
        }
    }

    /// A Boolean value indicating whether the location is needed now.
    package var needsLocation: Bool {
        switch phase {
        case .unneeded, .stopped: false
        default: plan == .nearest || sendsPosition
        }
    }

    /// The station in the source table, if that has been read.
    package var listedStation: Station? { mount.flatMap { table?.contents.station($0) } }

    /// A Boolean value indicating whether the caster receives the position. Before the table says so, it does not.
    package var sendsPosition: Bool {
        switch plan {
        case .nearest, .mount(_, .some(.none)): false
        case .mount(_, .some): true
        case .mount(let name, nil): table?.contents.station(name)?.needsPosition == true
        }
    }

    /// Handles an event.
    ///
    /// - Parameter now: The time in seconds, by a monotonic clock.
    package mutating func handle(_ event: Event, at now: Double) -> [Action] {
        if case .stopped = phase { return [] }
        switch event {
        case .needed(let isNeeded): return needed(isNeeded, now)
        case .located(let place):
            self.place = place
            return moved(now)
        case .unlocated: place = nil
        case .answered(let content): return answered(content, now)
        case .tableRead(let table): return read(table, now)
        case .frame: received(now)
        case .refused(let refusal): return refused(refusal, now)
        case .failed(let reason): return isConnected ? fail(reason, now) : []
        case .wake: return wake(now)
        }
        return []
    }

    private var isConnected: Bool {
        switch phase {
        case .connecting, .streaming: true
        default: false
        }
    }

    private mutating func needed(_ isNeeded: Bool, _ now: Double) -> [Action] {
        if isNeeded {
            guard case .unneeded = phase else { return [] }
            return proceed(now)
        }
        if case .unneeded = phase { return [] }
        let actions = disconnect(now)
        (phase, place) = (.unneeded, nil)
        return actions + [.report(.unneeded)]
    }

    /// Makes the next attempt, or waits for the location.
    private mutating func proceed(_ now: Double) -> [Action] {
        guard now >= notBefore else {
            phase = .waiting(until: notBefore)
            return []
        }
        guard let table = table?.contents else {
            if isMountMissing { return connect(to: nil, now) }
            if case .mount(let name, .some) = plan, let station = Station(mount: name) { return request(station, now) }
            return connect(to: nil, now)
        }
        if case .mount(let name, _) = plan {
            guard let station = table.station(name) ?? Station(mount: name) else { return stop(.noMountPoint) }
            return request(station, now)
        }
        guard let place else { return awaitLocation(.awaitingLocation) }
        guard let station = NearestStation.choose(for: place, from: table.stations, current: mount) else {
            return awaitLocation(.outOfReach)
        }
        return connect(to: station, now)
    }

    private mutating func request(_ station: Station, _ now: Double) -> [Action] {
        // A network sends nothing before it has the position: a connection without one would count as failed.
        if sendsPosition, place == nil { return awaitLocation(.awaitingLocation) }
        return connect(to: station, now)
    }

    private mutating func awaitLocation(_ status: CasterStatus) -> [Action] {
        phase = .awaitingLocation
        return [.report(status)]
    }

    private mutating func connect(to station: Station?, _ now: Double) -> [Action] {
        phase = .connecting(station, until: now + Self.answerTimeout)
        if let station { mount = station.mount }
        return [.report(.connecting(mount: station?.mount)), .connect(mount: station?.mount)]
    }

    private mutating func answered(_ content: CasterAnswer.Content, _ now: Double) -> [Action] {
        guard case .connecting(let station, _) = phase else { return [] }
        guard let station else {
            return content == .sourceTable ? [] : refused(.malformed("it is not a list of stations"), now)
        }
        if content == .sourceTable {
            // The table with the existing names follows.
            guard plan != .nearest else { return refused(.noMountPoint, now) }
            isMountMissing = true
            phase = .connecting(nil, until: now + Self.answerTimeout)
            return []
        }
        phase = .streaming(Stream(mount: station.mount, silentUntil: now + Self.firstFrameLimit))
        return (sendsPosition ? sendPosition(now) : []) + [.report(.receiving(mount: station.mount))]
    }

    private mutating func read(_ table: SourceTable, _ now: Double) -> [Action] {
        guard case .connecting(nil, _) = phase else { return [] }
        self.table = (table, now)
        if case .mount(let name, _) = plan, isMountMissing || table.station(name) == nil {
            return [.disconnect] + stop(.noMountPoint)
        }
        return [.disconnect] + proceed(now)
    }

    private mutating func received(_ now: Double) {
        guard case .streaming(var stream) = phase else { return }
        let first = stream.firstFrame ?? now
        (stream.firstFrame, stream.silentUntil) = (first, now + Self.silenceLimit)
        if now - first >= Self.healthyTime { backoff.reset() }
        phase = .streaming(stream)
    }

    // MARK: The position

    private mutating func sendPosition(_ now: Double) -> [Action] {
        guard case .streaming(var stream) = phase, let place else { return [] }
        stream.positionDue = now + interval
        phase = .streaming(stream)
        sentPlace = place
        return [.sendPosition]
    }

    private mutating func moved(_ now: Double) -> [Action] {
        guard let place else { return [] }
        switch phase {
        case .awaitingLocation: return proceed(now)
        case .streaming(let stream):
            if stream.positionDue != nil {
                let distance = sentPlace?.distance(to: place) ?? .infinity
                return distance >= Self.movement ? sendPosition(now) : []
            }
            guard plan == .nearest, let table,
                let station = NearestStation.choose(for: place, from: table.contents.stations, current: stream.mount),
                station.mount != stream.mount
            else { return [] }
            return disconnect(now) + proceed(now)
        default: return []
        }
    }

    // MARK: Failures

    private mutating func wake(_ now: Double) -> [Action] {
        guard let deadline, now >= deadline else { return [] }
        switch phase {
        case .waiting: return proceed(now)
        case .connecting: return fail("the caster does not answer", now)
        case .streaming(let stream) where now >= stream.silentUntil: return fail("the caster sends no corrections", now)
        case .streaming(var stream):
            stream.positionDue = now + interval
            phase = .streaming(stream)
            return sendPosition(now)
        case .unneeded, .awaitingLocation, .stopped: return []
        }
    }

    private mutating func refused(_ refusal: CasterRefusal, _ now: Double) -> [Action] {
        guard isConnected else { return [] }
        if isMountMissing { return [.disconnect] + stop(.noMountPoint) }
        // A station of an old table is gone: the next table does not have it.
        if plan == .nearest, refusal == .noMountPoint, case .connecting(.some, _) = phase {
            table = nil
            return fail(refusal.description, now)
        }
        if refusal == .noMountPoint, table == nil {
            isMountMissing = true
            return fail(refusal.description, now)
        }
        return refusal.isPermanent ? [.disconnect] + stop(refusal) : fail(refusal.description, now)
    }

    private mutating func stop(_ refusal: CasterRefusal) -> [Action] {
        phase = .stopped
        guard refusal == .noMountPoint, let table = table?.contents else {
            return [.report(.stopped(refusal.description))]
        }
        return [.report(.stopped("\(refusal.description); \(NearestStation.listing(table.stations, from: place))"))]
    }

    private mutating func fail(_ reason: String, _ now: Double) -> [Action] {
        // The names of the others are not worth a second attempt.
        if isMountMissing, case .connecting(nil, _) = phase { return [.disconnect] + stop(.noMountPoint) }
        let jitter = 0.7 + 0.6 * random()
        let delay = max(Self.minimumDelay, backoff.next() * jitter)
        (notBefore, mount) = (now + delay, nil)
        if plan == .nearest, let table, now - table.time >= Self.tableLifetime { self.table = nil }
        phase = .waiting(until: notBefore)
        return [.disconnect, .report(.failed(reason, retryIn: delay))]
    }

    /// Ends a connection that has not failed.
    ///
    /// Attack: an app that asks for corrections and withdraws the request, again and again, gets this machine banned.
    private mutating func disconnect(_ now: Double) -> [Action] {
        guard isConnected else { return [] }
        notBefore = max(notBefore, now + Self.minimumDelay)
        return [.disconnect]
    }
}
