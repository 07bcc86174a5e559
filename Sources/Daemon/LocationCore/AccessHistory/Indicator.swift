internal import Bytewise
package import LocationModel
internal import Positioning

/// The apps that use the location now or used it in the last 24 hours: the data behind an arrow in a status bar.
///
/// An app is listed from its first location or event: while it waits for its first fix, it has learned nothing. An app
/// is active while it has a subscription or an event stream open (significant changes, regions, visits, headings). A
/// paused subscription counts too: it gets the position where the device sets off without another request. An app is
/// not active if its streams are suspended, if they continue in the background because its authorization is `always`
/// and it does not want to be shown, or if it monitors something without a stream. Events without a stream are listed
/// as uses. Confined to the event loop.
package final class Indicator {
    /// The time that an app is shown after its last use, in seconds.
    private static let span: Double = 24 * 3600
    /// The pause in seconds between two uses after which a use is reported even if nothing else has changed.
    private static let pause: Double = 60

    /// A Boolean value indicating whether any app of any user is active. System services do not count.
    package var isInUse: Bool { activeCount > 0 }

    let changes: Changes
    private var activeCount = 0 {
        didSet { if (oldValue > 0) != (activeCount > 0) { changes.report(.inUse) } }
    }
    private var uses: [AppKey: Use] = [:]
    /// The number of apps that starts a search for expired entries.
    private var expirySearchThreshold = 64

    /// The use of the location by one app.
    final class Use {
        fileprivate var isActive = false
        fileprivate var inBackground: Bool
        fileprivate var accuracy: AccuracyAuthorization
        /// The time of the last use, or `nil` if the app has a stream open but has received nothing yet.
        fileprivate private(set) var last: Timestamp?
        /// The beginning of the quarter of an hour of the last use, and of the last one in an earlier quarter, or `nil`
        /// if there was none.
        private var quarter = Timestamp(millisecondsSince1970: 0)
        private var earlierQuarter: Timestamp?
        /// A Boolean value indicating whether the indicator still has this entry.
        fileprivate var isListed = true

        fileprivate init(inBackground: Bool, accuracy: AccuracyAuthorization = .full, last: Timestamp? = nil) {
            self.inBackground = inBackground
            self.accuracy = accuracy
            if let last { setLast(last) }
        }

        private func setLast(_ now: Timestamp) {
            if last == nil || now < quarter || now.seconds(since: quarter) >= Double(AccuracyReducer.tickSeconds) {
                earlierQuarter = last == nil ? nil : quarter
                quarter = AccuracyReducer.tick(atOrBefore: now)
            }
            last = now
        }

        /// Returns the time of the last use as it is shown to those who may not see movement: the quarter of an hour,
        /// once it is over. The quarter of the first use is shown at once.
        ///
        /// Attack: a program asks each second. The quarter of the last use would change when the sky opens, or when the
        /// device has moved far enough for an event.
        fileprivate func shownQuarter(at now: Timestamp) -> Timestamp {
            AccuracyReducer.tick(atOrBefore: now) == quarter ? earlierQuarter ?? quarter : quarter
        }

        fileprivate func isKept(at now: Timestamp) -> Bool {
            isActive || last.map { now.seconds(since: $0) <= Indicator.span } ?? false
        }

        /// Records another use. Returns whether it is to be reported.
        fileprivate func add(_ accuracy: AccuracyAuthorization, _ inBackground: Bool, _ now: Timestamp) -> Bool {
            let isNews =
                accuracy != self.accuracy || inBackground != self.inBackground
                || last.map { abs(now.seconds(since: $0)) >= Indicator.pause } ?? true
            self.accuracy = accuracy
            self.inBackground = inBackground
            setLast(now)
            return isNews
        }
    }

    /// Creates an indicator from the last uses in the access log. The latest use of each app counts.
    init(_ stored: [AccessLogRow] = [], changes: Changes = Changes()) {
        self.changes = changes
        for row in stored {
            if let last = uses[row.key.app]?.last, last >= row.tally.lastDelivery { continue }
            uses[row.key.app] = Use(
                inBackground: row.key.inBackground, accuracy: row.key.accuracy, last: row.tally.lastDelivery)
        }
    }

    /// Returns the earliest time to read from the access log for ``init(_:)``.
    static func start(at now: Timestamp) -> Timestamp {
        Timestamp(millisecondsSince1970: now.millisecondsSince1970 - Int64(span) * 1000)
    }

    /// The number of apps in memory.
    var count: Int { uses.count }

    /// Records that an app got a location or an event. Returns the app's entry.
    @discardableResult
    func used(_ app: AppKey, accuracy: AccuracyAuthorization, inBackground: Bool, at now: Timestamp) -> Use {
        if let use = uses[app] {
            used(use, accuracy: accuracy, inBackground: inBackground, at: now)
            return use
        }
        if uses.count >= expirySearchThreshold { forgetOld(at: now) }
        let use = Use(inBackground: inBackground, accuracy: accuracy, last: now)
        uses[app] = use
        changes.report(.indicator)
        return use
    }

    /// Records that the app of `count` got a location or an event.
    func used(with count: UncollectedDeliveries, accuracy: AccuracyAuthorization, inBackground: Bool, at now: Timestamp)
    {
        if let use = count.use, use.isListed {
            used(use, accuracy: accuracy, inBackground: inBackground, at: now)
        } else {
            count.use = used(count.app, accuracy: accuracy, inBackground: inBackground, at: now)
        }
    }

    private func used(_ use: Use, accuracy: AccuracyAuthorization, inBackground: Bool, at now: Timestamp) {
        if use.add(accuracy, inBackground, now) { changes.report(.indicator) }
    }

    /// Records that an app opened a stream, moved to or from the background with one open, or closed its last one.
    func setActive(_ app: AppKey, _ isActive: Bool, inBackground: Bool) {
        guard isActive else {
            guard let use = uses[app], use.isActive else { return }
            // `inBackground` keeps the value from the last use.
            use.isActive = false
            countActive(app, -1)
            if use.last == nil { forget(app) } else { changes.report(.indicator) }
            return
        }
        let use = uses[app] ?? Use(inBackground: inBackground)
        let isNews = use.last != nil && (!use.isActive || use.inBackground != inBackground)
        let wasActive = use.isActive
        use.isActive = true
        use.inBackground = inBackground
        uses[app] = use
        if !wasActive { countActive(app, 1) }
        if isNews { changes.report(.indicator) }
    }

    private func countActive(_ app: AppKey, _ change: Int) {
        if app.app.kind != .service { activeCount += change }
    }

    /// Returns the entries of a user's apps, or of all users' apps if `uid` is `nil`, the latest use first.
    ///
    /// - Parameter hidesMovement: `true` for quarters of an hour that are over, in place of the times of the last uses.
    package func entries(of uid: UInt32?, at now: Timestamp, hidesMovement: Bool = false) -> [IndicatorEntry] {
        forgetOld(at: now)
        var entries: [IndicatorEntry] = []
        for (app, use) in uses where uid == nil || app.uid == uid {
            guard let last = use.last else { continue }
            entries.append(
                IndicatorEntry(
                    key: app, active: use.isActive, background: use.inBackground, accuracy: use.accuracy,
                    lastUse: hidesMovement ? use.shownQuarter(at: now) : last))
        }
        return entries.sorted {
            ($1.lastUse, $0.uid, BytewiseString($0.app)) < ($0.lastUse, $1.uid, BytewiseString($1.app))
        }
    }

    private func forget(_ app: AppKey) {
        uses.removeValue(forKey: app)?.isListed = false
    }

    private func forgetOld(at now: Timestamp) {
        for (app, use) in uses where !use.isKept(at: now) { forget(app) }
        expirySearchThreshold = max(64, uses.count * 2)
    }
}
