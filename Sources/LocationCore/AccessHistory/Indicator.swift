internal import Bytewise
package import LocationModel

/// Who uses the location now, and who did in the last 24 hours: what stands behind an arrow in a status bar.
///
/// An app is in it from the first location or event that it gets. An app that waits for its first fix has learned nothing and
/// is not shown. Active is one that has a stream open, of locations or of events (significant changes, regions, visits,
/// headings): also a paused one, which gets the place where it sets off without asking again. Not active is one whose
/// streams are suspended, or go on in the background as it may always and does not ask to be shown, or for which something
/// is monitored while it has no stream: those events come in as uses.
/// Confined to the event loop.
package final class Indicator {
    /// How long an app is shown after its last use, in seconds.
    private static let span: Double = 24 * 3600
    /// How long a use must be after the one before it to be told by itself, in seconds.
    private static let pause: Double = 60

    /// Told when an app appeared, became active or not, changed between background and not or in accuracy, or got something
    /// after a minute or more without. Not at each fix, and not when an app is no longer shown because of its age: no timer
    /// is worth that.
    package var onChange: (() -> Void)?

    private var uses: [AppKey: Use] = [:]
    /// With how many apps those that are too old are looked for.
    private var crowd = 64

    /// What is known of one app's use.
    final class Use {
        fileprivate var isActive = false
        fileprivate var inBackground: Bool
        fileprivate var accuracy: AccuracyAuthorization
        /// `nil` where the app has a stream open and has got nothing yet.
        fileprivate var last: Timestamp?
        /// A Boolean value indicating whether the indicator knows of it.
        fileprivate var isListed = true

        fileprivate init(inBackground: Bool, accuracy: AccuracyAuthorization = .full, last: Timestamp? = nil) {
            self.inBackground = inBackground
            self.accuracy = accuracy
            self.last = last
        }

        fileprivate func isKept(at now: Timestamp) -> Bool {
            isActive || last.map { now.seconds(since: $0) <= Indicator.span } ?? false
        }

        /// Takes in another use; whether that is to be told.
        fileprivate func add(_ accuracy: AccuracyAuthorization, _ inBackground: Bool, _ now: Timestamp) -> Bool {
            let isNews =
                accuracy != self.accuracy || inBackground != self.inBackground
                || last.map { abs(now.seconds(since: $0)) >= Indicator.pause } ?? true
            self.accuracy = accuracy
            self.inBackground = inBackground
            last = now
            return isNews
        }
    }

    /// Goes on with the last uses that the access log has kept; of each app the latest counts.
    init(_ stored: [AccessLogRow] = []) {
        for row in stored {
            if let last = uses[row.key.app]?.last, last >= row.tally.lastDelivery { continue }
            uses[row.key.app] = Use(
                inBackground: row.key.inBackground, accuracy: row.key.accuracy, last: row.tally.lastDelivery)
        }
    }

    /// Where the access log is to be read from for ``init(_:)``.
    static func start(at now: Timestamp) -> Timestamp {
        Timestamp(millisecondsSince1970: now.millisecondsSince1970 - Int64(span) * 1000)
    }

    /// How many apps are kept in memory.
    var count: Int { uses.count }

    /// An app got a location or an event. Returns the app's entry.
    @discardableResult
    func used(_ app: AppKey, accuracy: AccuracyAuthorization, inBackground: Bool, at now: Timestamp) -> Use {
        if let use = uses[app] {
            used(use, accuracy: accuracy, inBackground: inBackground, at: now)
            return use
        }
        if uses.count >= crowd { forgetOld(at: now) }
        let use = Use(inBackground: inBackground, accuracy: accuracy, last: now)
        uses[app] = use
        onChange?()
        return use
    }

    /// The app of `count` got a location or an event.
    func used(with count: AccessCount, accuracy: AccuracyAuthorization, inBackground: Bool, at now: Timestamp) {
        if let use = count.use, use.isListed {
            used(use, accuracy: accuracy, inBackground: inBackground, at: now)
        } else {
            count.use = used(count.app, accuracy: accuracy, inBackground: inBackground, at: now)
        }
    }

    private func used(_ use: Use, accuracy: AccuracyAuthorization, inBackground: Bool, at now: Timestamp) {
        if use.add(accuracy, inBackground, now) { onChange?() }
    }

    /// An app opened a stream, moved between background and not with one open, or closed its last one.
    func setActive(_ app: AppKey, _ isActive: Bool, inBackground: Bool) {
        guard isActive else {
            guard let use = uses[app], use.isActive else { return }
            // What it did last it did as it was.
            use.isActive = false
            if use.last == nil { forget(app) } else { onChange?() }
            return
        }
        let use = uses[app] ?? Use(inBackground: inBackground)
        let isNews = use.last != nil && (!use.isActive || use.inBackground != inBackground)
        use.isActive = true
        use.inBackground = inBackground
        uses[app] = use
        if isNews { onChange?() }
    }

    /// The apps of a user, or where `uid` is `nil` of everybody, the latest use first.
    package func entries(of uid: UInt32?, at now: Timestamp) -> [IndicatorEntry] {
        forgetOld(at: now)
        var entries: [IndicatorEntry] = []
        for (app, use) in uses where uid == nil || app.uid == uid {
            guard let last = use.last else { continue }
            entries.append(
                IndicatorEntry(
                    key: app, active: use.isActive, background: use.inBackground, accuracy: use.accuracy, lastUse: last)
            )
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
        crowd = max(64, uses.count * 2)
    }
}
