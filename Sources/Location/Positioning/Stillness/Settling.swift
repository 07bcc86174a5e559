internal import LocationModel

/// Watches the surroundings of a device that may have come to a place: they must stay the same for some time.
///
/// Slow movement changes each scan a little. So later scans are compared with the first ones, not with the last.
struct Settling: Sendable {
    /// The time that the surroundings must stay the same, in seconds: the shortest visit.
    static let seconds = 300.0
    /// The time from the first report to a second fix that decides earlier, in seconds, if several emitters were heard
    /// again and again: who passes by is no longer there. A connection alone may be one to a bus.
    static let fixSeconds = 120.0
    /// The same at a known place. What a device hears reaches as far as it walks in that time.
    static let knownPlaceSeconds = 60.0
    /// The least similarity of a scan to the first ones, from 0 to 1.
    static let leastSimilarity = 0.5
    /// The least similarity of a scan to a known place.
    static let leastSimilarityToKnown = 0.6
    /// The number of scans that the others are compared with, and the least number of scans.
    static let firstScans = 3
    /// The number of emitters that suffice without a fix: of those that were heard again. A single one may be in a bus.
    static let leastEmitters = 2
    /// The number of emitters that suffice for an early decision.
    static let emittersToDecide = 3

    /// The time of the first report.
    let since: Double
    /// A Boolean value indicating whether that report differed from the ones before it.
    let isAfterOthers: Bool
    /// Everything heard since.
    private(set) var place = RadioPlace()
    /// The first scans.
    private var core = RadioPlace()
    private var scans = 0
    /// The emitters that the device is connected to, all the time since it was connected.
    private var links: Set<UInt64>
    /// A Boolean value indicating whether the device was connected to them among strangers: they may travel along.
    private var areLinksDoubtful: Bool
    /// The last fix, or `nil` if there was none.
    private(set) var fix: (time: Double, timestamp: Timestamp)?
    /// The time of the first fix.
    private(set) var firstFix: Double?

    init(_ report: SurroundingsReport, isAfterOthers: Bool, doubtsLinks: Bool = false, at now: Double) {
        since = now
        areLinksDoubtful = doubtsLinks
        self.isAfterOthers = isAfterOthers
        links = report.links
        absorb(report)
    }

    /// Handles the next report. Returns whether the device may still be at the place.
    mutating func follow(_ report: SurroundingsReport) -> Bool {
        let held = links.intersection(report.links)
        if let scan = report.scan, core.isStrange(scan) { return false }
        if held.isEmpty {
            areLinksDoubtful = false
            if let scan = report.scan {
                guard core.similarity(to: scan) >= Self.leastSimilarity else { return false }
            } else if !links.isEmpty, !report.links.isEmpty {
                // Connected to another emitter, and nothing to compare it with.
                return false
            }
        }
        links = held.isEmpty ? report.links : held
        absorb(report)
        return true
    }

    private mutating func absorb(_ report: SurroundingsReport) {
        if report.scan != nil { scans += 1 }
        if scans <= Self.firstScans { core.absorb(report) }
        place.absorb(report)
    }

    /// Handles a fix. Returns whether the device may still be at the place.
    mutating func follow(_ location: Location, at now: Double) -> Bool {
        guard place.contains(location) ?? true else { return false }
        let isBetter = (location.horizontalAccuracy ?? .infinity) < (place.fix?.horizontalAccuracy ?? .infinity)
        if place.fix == nil || isBetter { place.fix = location }
        firstFix = firstFix ?? now
        fix = (now, location.timestamp)
        return true
    }

    /// A Boolean value indicating whether two fixes, not close after each other, were at the place.
    var isConfirmed: Bool {
        guard let fix, let firstFix else { return false }
        return fix.time - firstFix >= Stillness.secondFix
    }

    /// A Boolean value indicating whether anything but the first report shows that the device has come to a place.
    var isLikely: Bool { scans > 1 || !links.isEmpty && !areLinksDoubtful }

    /// Returns whether the device is connected as it was, among other emitters than before.
    func holdsLinks(of report: SurroundingsReport) -> Bool { !links.isDisjoint(with: report.links) }

    /// Returns the time of the next search for a fix: one that decides early, and others until one is found. Infinite
    /// if none is needed.
    func search(at known: RadioPlace?, after now: Double) -> Double {
        let first = since + (known == nil ? Self.fixSeconds : Self.knownPlaceSeconds)
        if let fix, fix.time >= first { return .infinity }
        var time = first
        while time + Stillness.checkSeconds <= now { time += Self.fixSeconds }
        return time
    }

    /// Returns the time when the device is still if nothing changes, or `nil` if more has to be heard first.
    ///
    /// - Parameter known: A known place with the same surroundings, or `nil` if there is none.
    func end(at known: RadioPlace?) -> Double? {
        guard !links.isEmpty || scans >= Self.firstScans else { return nil }
        if let fix, let location = place.fix {
            if known?.contains(location) == true, fix.time >= since + Self.knownPlaceSeconds { return fix.time }
            // A train may have stood there for a single one.
            let isHeard = scans >= Self.firstScans && place.count >= Self.emittersToDecide
            return isHeard && isConfirmed && fix.time >= since + Self.fixSeconds ? fix.time : since + Self.seconds
        }
        return place.repeatedCount >= Self.leastEmitters ? since + Self.seconds : nil
    }

    /// Removes emitters that move. Returns whether any others are left.
    mutating func remove(_ ids: Set<UInt64>) -> Bool {
        place.remove(ids)
        core.remove(ids)
        links.subtract(ids)
        return place.count > 0
    }

    /// Returns the index of the known place with the most similar surroundings, or `nil` if none is similar.
    func match(among places: [RadioPlace], _ report: SurroundingsReport) -> Int? {
        var best: (index: Int, similarity: Double)?
        for (index, known) in places.enumerated() {
            let isLinkKnown = !report.links.isDisjoint(with: known.ids)
            guard isLinkKnown || known.commonEmitters(with: report) >= Self.leastEmitters else { continue }
            let similarity = report.scan.map(known.similarity) ?? (isLinkKnown ? 1 : 0)
            guard similarity >= Self.leastSimilarityToKnown, similarity >= best?.similarity ?? 0 else { continue }
            best = (index, similarity)
        }
        return best?.index
    }
}
