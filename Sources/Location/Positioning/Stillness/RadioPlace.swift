internal import LocationModel

/// A place as its radio surroundings show it: the emitters that are heard there and, if there was a fix, its location.
struct RadioPlace: Sendable {
    /// The greatest number of remembered emitters. Of more, the most often heard stay.
    static let maximumEmitters = 64
    /// The greatest distance between a fix of the place and one that confirms it, in metres, besides the accuracy of
    /// the latter: the range of an access point.
    static let radius = 100.0
    /// The greatest speed of a device at a place, in metres per second: a run through a building, and a receiver's
    /// noise.
    static let greatestSpeed = 3.0

    /// The greatest similarity of a scan that hears mostly strangers.
    private static let similarityAmongStrangers = 0.4

    private struct Sighting {
        var strength: Double
        var count = 1
    }

    private var emitters: [UInt64: Sighting] = [:]
    private var scans = 0
    /// The emitters that the device was connected to here.
    private(set) var links: Set<UInt64> = []
    private(set) var areas: Set<UInt64> = []
    /// A fix at the place, or `nil` if there was none.
    var fix: Location?
    /// The number of fixes that have confirmed the place after its first one.
    var confirmations = 0

    /// Creates a place without emitters.
    init() {}

    /// Creates a place from the strengths of its emitters.
    init(strengths: [UInt64: Double]) {
        let kept = strengths.sorted { $0.value > $1.value }.prefix(Self.maximumEmitters)
        emitters = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, Sighting(strength: $0.value)) })
        scans = 1
    }

    /// The strengths of the emitters that most scans hear, and of those that the device was connected to.
    var strengths: [UInt64: Double] {
        let heard = emitters.filter { isRepresentative($0.value) }.mapValues(\.strength)
        return heard.merging(links.map { ($0, 1.0) }) { strength, _ in strength }
    }

    /// Returns whether the emitter is heard here.
    func hears(_ id: UInt64) -> Bool { emitters[id] != nil || links.contains(id) }

    /// The number of different emitters.
    var count: Int { links.union(emitters.keys).count }

    /// The ids of all emitters.
    var ids: Set<UInt64> { links.union(emitters.keys) }

    /// The number of emitters that most scans hear.
    var representatives: Int { emitters.values.count(where: isRepresentative) }

    /// The number of different emitters that the device is connected to, or that more than one scan has heard.
    var repeatedCount: Int { links.union(emitters.filter { $0.value.count > 1 }.keys).count }

    /// Adds the emitters of a report that was made here.
    mutating func absorb(_ report: SurroundingsReport) {
        links.formUnion(report.links)
        if let area = report.area { areas.insert(area) }
        guard let scan = report.scan else { return }
        scans += 1
        for emitter in scan {
            var sighting = emitters[emitter.id] ?? Sighting(strength: emitter.strength, count: 0)
            sighting.strength = max(sighting.strength, emitter.strength)
            sighting.count += 1
            emitters[emitter.id] = sighting
        }
        guard emitters.count > Self.maximumEmitters else { return }
        let kept = emitters.sorted { ($0.value.count, $0.value.strength) > ($1.value.count, $1.value.strength) }
        emitters = Dictionary(uniqueKeysWithValues: kept.prefix(Self.maximumEmitters).map { ($0.key, $0.value) })
    }

    /// Adds the emitters of another record of the same place.
    mutating func absorb(_ other: RadioPlace) {
        links.formUnion(other.links)
        areas.formUnion(other.areas)
        scans += other.scans
        emitters.merge(other.emitters) {
            Sighting(strength: max($0.strength, $1.strength), count: $0.count + $1.count)
        }
    }

    /// Removes emitters.
    mutating func remove(_ ids: Set<UInt64>) {
        links.subtract(ids)
        for id in ids { emitters[id] = nil }
    }

    /// Returns the similarity of a scan to the place, from 0 to 1: the strength in common, as a share of the smaller
    /// one of the two.
    ///
    /// The smaller one, because a scan misses a tenth to a half of the emitters in reach: in a house with 40 networks,
    /// no two scans are the same. The strength, because a device that has left still hears the emitters on its side of
    /// the house, but others are stronger now. Among strangers, though, a device is doubtfully at the place, at most.
    func similarity(to scan: [SurroundingsReport.Emitter]) -> Double {
        var (heard, common) = (0.0, 0.0)
        for emitter in scan {
            heard += emitter.strength
            if let known = emitters[emitter.id] { common += min(emitter.strength, known.strength) }
        }
        let known = emitters.values.reduce(0) { $0 + (isRepresentative($1) ? $1.strength : 0) }
        let smaller = min(heard, known)
        guard smaller > 0 else { return 0 }
        return min(isStrange(scan) ? Self.similarityAmongStrangers : 1, common / smaller)
    }

    /// Returns whether a scan hears others more than twice as strongly as the emitters of the place.
    ///
    /// A train's own access points, or a van's router, are as strong as ever while they pass those of others.
    func isStrange(_ scan: [SurroundingsReport.Emitter]) -> Bool {
        guard !emitters.isEmpty else { return false }
        var (common, others) = (0.0, 0.0)
        for emitter in scan {
            if let known = emitters[emitter.id] {
                common += min(emitter.strength, known.strength)
            } else if !links.contains(emitter.id) {
                others += emitter.strength
            }
        }
        return others > 2 * common
    }

    /// Returns the number of emitters in common with a report.
    func commonEmitters(with report: SurroundingsReport) -> Int { ids.intersection(report.ids).count }

    /// Returns whether a fix may be at the place. Without a fix of the place, this is known only of a moving device,
    /// and the result is `nil` otherwise.
    func contains(_ location: Location) -> Bool? {
        if let speed = location.speed, speed > Self.greatestSpeed, !Stillness.isVague(location) { return false }
        guard let fix else { return nil }
        let accuracy = max(location.horizontalAccuracy ?? 0, fix.horizontalAccuracy ?? 0)
        return fix.distance(to: location) <= Self.radius + accuracy
    }

    private func isRepresentative(_ sighting: Sighting) -> Bool { 2 * sighting.count >= scans }
}
