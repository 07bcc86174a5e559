internal import AuthorizationPolicy
internal import Bytewise
internal import LocationModel
internal import NIOCore
internal import Positioning

/// The calls of apps.
extension Monitoring {
    /// Opens a stream of significant changes. The last known location comes first, of any age, if it is due. Returns
    /// the function that ends the stream.
    func openSignificantChanges(
        _ stream: EventStream<Location>, of key: AppKey, wake: String?, lastKnown: [Publication]
    ) throws(LocationFailure) -> () -> Void {
        try gate.check(key, for: .whenInUse)
        let app = app(key)
        forgetBackground(of: app)
        register(&app.significantChanges, of: key, wake)
        app.significantChanges.streams.append(stream)
        try delivery.deliverPending(key, on: stream, through: gate, needing: .always)
        app.accuracy = gate.accuracy(of: key, wanted: .full)
        app.significantChange = SignificantChange()
        for publication in lastKnown {
            guard let released = try gate.release(publication, to: key, needing: .whenInUse, presence: stream.presence)
            else { continue }
            app.significantChange.restart(with: publication.location)
            store(lastDelivered: publication.location, of: app)
            stream.send(history.count(released.map(\.location)))
        }
        return end(stream, of: app)
    }

    /// Opens a stream of visits. The current visit comes first, if it is due. Returns the function that ends the
    /// stream.
    func openVisits(
        _ stream: EventStream<Visit>, of key: AppKey, wake: String?
    ) throws(LocationFailure) -> () -> Void {
        try gate.check(key, for: .visits)
        let app = app(key)
        forgetBackground(of: app)
        register(&app.visits, of: key, wake)
        app.visits.streams.append(stream)
        let keeps = delivery.keeps(key, .visit, subject: "")
        try delivery.deliverPending(key, on: stream, through: gate, needing: .visitsInBackground)
        if !keeps, let visit = currentVisit(of: app) {
            let released = try gate.release(visit, madeFor: key, needing: .visits, presence: stream.presence)
            if let released { stream.send(history.count(released)) }
        }
        return end(stream, of: app)
    }

    /// Opens a stream of region crossings. The state of each region comes first, or the one before a crossing that the
    /// app has missed, and then these crossings. For an app that may have the location only while it is in use, the
    /// states are unknown if it has no other stream in use. Returns the function that ends the stream.
    func openRegions(
        _ stream: EventStream<RegionEvent>, of key: AppKey
    ) throws(LocationFailure) -> () -> Void {
        try gate.check(key, for: .regions)
        let app = app(key)
        forgetBackground(of: app)
        for (identifier, region) in app.regions.sorted(by: { $0.key < $1.key }).map({ ($0.text, $1) }) {
            let isMissed = delivery.keeps(key, .region, subject: identifier)
            let state = isMissed ? region.state.opposite : currentState(of: region)
            try send(state, ofRegion: identifier, on: stream, of: key)
        }
        app.regionStreams.append(stream)
        try delivery.deliverPending(key, on: stream, through: gate, needing: .regionsInBackground)
        return end(stream, of: app)
    }

    /// Sends a state that is not a crossing, without the location that shows it.
    ///
    /// Attack: an app keeps replacing a region, and each time gets the full-accuracy position of the device.
    func send(
        _ state: RegionState, ofRegion identifier: String, on stream: EventStream<RegionEvent>, of key: AppKey
    ) throws(LocationFailure) {
        guard state != .unknown else { return stream.send(.unknownState(ofRegion: identifier)) }
        let event = RegionEvent(identifier: identifier, state: state)
        let released = try gate.release(event, madeFor: key, needing: .regions, presence: stream.presence)
        if let released { stream.send(history.count(released)) }
    }

    /// Adds a region, or replaces the one with the same identifier. The future succeeds once the region is on the
    /// disk. If it fails, the region is monitored until the service ends.
    func start(_ region: Region, of key: AppKey, wake: String?) throws(LocationFailure) -> EventLoopFuture<Void> {
        try gate.check(key, for: .regions)
        let known = apps[key]?.regions[BytewiseString(region.identifier)]
        guard known != nil || apps[key]?.regions.count ?? 0 < CircularRegion.maximumCount else {
            throw .tooManyRegions
        }
        var record = RegionRecord(app: key, region: region, wake: wake, since: clock(), state: .unknown)
        if let known, known.record.region == region {
            record = known.record
            record.wake = wake
        }
        // Attack: an app keeps repeating the same request, and wears the disk out.
        guard record != known?.record else { return writer.settled(MonitoringChange.putRegion(record).key) }
        try checkRoom(for: .putRegion(record))
        if known?.record.region == region {
            app(key).regions[BytewiseString(region.identifier)]?.record.wake = wake
        } else {
            delivery.forget(key, .region, subject: region.identifier)
            app(key).regions[BytewiseString(region.identifier)] = MonitoredRegion(record)
        }
        return writer.writing(.putRegion(record))
    }

    /// Removes a region. The future succeeds once that is on the disk.
    func stopRegion(_ identifier: String, of key: AppKey) throws(LocationFailure) -> EventLoopFuture<Void> {
        let change = MonitoringChange.removeRegion(key, identifier: identifier)
        guard let app = apps[key], app.regions[BytewiseString(identifier)] != nil else {
            return writer.settled(change.key)
        }
        try checkRoom(for: change)
        app.regions[BytewiseString(identifier)] = nil
        delivery.forget(key, .region, subject: identifier)
        tidy(app)
        return writer.writing(change)
    }

    private func checkRoom(for change: MonitoringChange) throws(LocationFailure) {
        guard writer.isWithinLimit(with: change) else { throw .limitExceeded(limit: "unwrittenChangesPerUser") }
    }

    /// Returns the app's regions, sorted by identifier.
    func regions(of key: AppKey) -> [Region] {
        (apps[key]?.regions.values.map(\.record.region) ?? []).sorted {
            BytewiseString($0.identifier) < BytewiseString($1.identifier)
        }
    }

    /// Returns the state of a region, or `nil` if the app has no such region. The state is for sending, and so
    /// counted.
    func state(ofRegion identifier: String, of key: AppKey, presence: Presence) throws(LocationFailure) -> RegionState?
    {
        guard let app = apps[key], let region = app.regions[BytewiseString(identifier)] else { return nil }
        let need = app.needOfRegions
        try gate.check(key, for: .regions)
        // While the region was not monitored, the known state may have become wrong.
        guard isRecorded(app, need) else { return .unknown }
        let state = currentState(of: region)
        guard state != .unknown,
            let released = try gate.release(state, madeFor: key, needing: need, presence: presence)
        else { return .unknown }
        return history.count(released).value
    }

    /// Makes the monitoring outlast the stream if there is a `wake` socket, and otherwise removes its record.
    private func register(
        _ registration: inout MonitoredApp.Registration<some MonitoredEvent>, of key: AppKey, _ wake: String?
    ) {
        guard let wake else {
            if registration.record != nil { writer.write(.remove(key, registration.kind)) }
            registration.record = nil
            return
        }
        let record = MonitoringRecord(
            app: key, kind: registration.kind, wake: wake, since: registration.record?.since ?? clock(),
            lastDelivered: registration.record?.lastDelivered)
        registration.record = record
        writer.write(.put(record))
    }

    private func end(_ stream: AnyEventStream, of app: MonitoredApp) -> () -> Void {
        { [unowned self] in
            app.remove(stream)
            forgetStayInUse(of: app)
            tidy(app)
            endUnobservedVisits()
        }
    }
}

extension RegionState {
    /// The other side of the border.
    fileprivate var opposite: RegionState {
        switch self {
        case .inside: .outside
        case .outside: .inside
        case .unknown: .unknown
        }
    }
}
