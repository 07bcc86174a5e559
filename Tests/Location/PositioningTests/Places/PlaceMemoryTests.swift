import LocationModel
import Testing

@testable import Positioning

/// The memory of places, decision by decision.
@Suite struct PlaceMemoryTests {
    private static let now = Timestamp(millisecondsSince1970: 1_780_315_200_000)

    private func scan(_ ids: [UInt64], links: Set<UInt64> = []) -> SurroundingsReport {
        SurroundingsReport(scan: ids.map { .init(id: $0, strength: 0.8) }, links: links)
    }

    /// Has the device rest, with a fix every 10 s and a scan of these emitters every minute.
    private func rest(
        _ memory: inout PlaceMemory, _ ids: [UInt64], north: Double = 0, from start: Double = 0,
        seconds: Double = 320, accuracy: Double = 5, day: Int = 100, _ change: (inout Location) -> Void = { _ in }
    ) {
        for time in stride(from: start, through: start + seconds, by: 10) {
            if (time - start).truncatingRemainder(dividingBy: 60) == 0 { memory.observe(scan(ids), at: time) }
            var location = fix(time, north: north, accuracy: accuracy)
            change(&location)
            memory.observe(location, at: time, day: day)
        }
    }

    /// Returns a memory of a place where these emitters are heard.
    private func memory(_ ids: [UInt64] = [1, 2, 3, 4], north: Double = 0) -> PlaceMemory {
        var memory = PlaceMemory()
        rest(&memory, ids, north: north)
        memory.pause()
        return memory
    }

    private func location(
        _ memory: inout PlaceMemory, at now: Double, day: Int = 100, after fix: (location: Location, age: Double)? = nil
    ) -> Location? {
        memory.location(at: now, timestamp: Self.now, day: day, after: fix)
    }

    private func distance(_ location: Location?, north: Double) -> Double {
        location?.distance(to: fix(0, north: north)) ?? .infinity
    }

    @Test func aPlaceIsLearntAndGiven() throws {
        var memory = memory()
        #expect(memory.count == 1 && memory.lastUse == 100)
        #expect(location(&memory, at: 1000) == nil)
        memory.observe(scan([1, 2, 4]), at: 1000)
        let given = try #require(location(&memory, at: 1000, day: 130))
        #expect(given.quality == .remembered && given.horizontalAccuracy == 65 && given.timestamp == Self.now)
        #expect(distance(given, north: 0) < 1)
        #expect(given.speed == nil && given.altitude == nil && given.receiver == nil && !given.simulated)
        #expect(memory.lastUse == 130)
        // The scan says nothing about later.
        #expect(location(&memory, at: 1061) == nil)
    }

    /// Each of these alone is not enough.
    @Test func whatDoesNotSufficeIsNotLearnt() {
        func count(
            _ ids: [UInt64] = [1, 2, 3], seconds: Double = 320, accuracy: Double = 5,
            _ change: (inout Location) -> Void = { _ in }
        ) -> Int {
            var memory = PlaceMemory()
            rest(&memory, ids, seconds: seconds, accuracy: accuracy, change)
            return memory.count
        }
        #expect(count() == 1)
        #expect(count([1, 2]) == 0)
        #expect(count(seconds: 290) == 0)
        #expect(count(accuracy: 21) == 0)
        #expect(count { $0.horizontalAccuracy = nil } == 0)
        #expect(count { $0.speed = 3 } == 0)
        #expect(count { $0.simulated = true } == 0)
        for quality in [LocationQuality.fixed, .simulated, .deadReckoning, .remembered] {
            #expect(count { $0.quality = quality } == 0, "\(quality)")
        }
    }

    @Test func aDeviceOnItsWayLearnsNothing() {
        var memory = PlaceMemory()
        for time in stride(from: 0.0, through: 1000, by: 10) {
            if time.truncatingRemainder(dividingBy: 60) == 0 { memory.observe(scan([1, 2, 3]), at: time) }
            memory.observe(fix(time, north: 1.4 * time), at: time, day: 100)
        }
        #expect(memory.count == 0)
    }

    /// Attack: the signals of satellites are imitated. The doubts come before, during or soon after the learning.
    @Test func attackNothingIsLearntFromSuspectFixes() {
        for doubtful in [20.0, 290, 320] {
            var memory = PlaceMemory()
            rest(&memory, [1, 2, 3]) { if $0.timestamp == fix(doubtful).timestamp { $0.doubts = FixDoubts(.jump) } }
            #expect(memory.count == 0, "\(doubtful)")
        }
        // A place of long ago stays.
        var memory = memory()
        rest(&memory, [1, 2, 3, 4], north: 9000, from: 5000) { $0.doubts = FixDoubts(.spoofing) }
        #expect(memory.count == 1)
    }

    /// Attack: the signals of satellites are imitated without a doubt for some minutes, at a place that is known: it
    /// hears other emitters, or loses its own.
    @Test func attackDoubtsUndoWhatSuspectFixesChanged() {
        for (seconds, isUndone) in [(600.0, true), (601, false)] {
            var merged = memory()
            rest(&merged, [1, 2, 3, 9], from: 2000)
            // The place was changed 300 s after the rest began.
            var suspect = fix(2300 + seconds)
            suspect.doubts = FixDoubts(.spoofing)
            merged.observe(suspect, at: 2300 + seconds, day: 100)
            #expect((merged.places.first?.radio.hears(9) == false) == isUndone, "\(seconds)")

            var forgotten = memory()
            forgotten.observe(scan([1, 2, 3, 4]), at: 5000)
            forgotten.observe(fix(5000, north: 2000), at: 5000, day: 100)
            #expect(forgotten.count == 0)
            suspect = fix(5000 + seconds)
            suspect.doubts = FixDoubts(.jump)
            forgotten.observe(suspect, at: 5000 + seconds, day: 100)
            #expect((forgotten.count == 1) == isUndone, "\(seconds)")
        }
    }

    /// Attack: a user has a place forgotten, and doubts bring it back.
    @Test func attackDoubtsBringBackNothingThatAUserHadForgotten() {
        var memory = memory()
        rest(&memory, [1, 2, 3, 9], from: 2000)
        _ = memory.clearHere(near: nil)
        var suspect = fix(2400)
        suspect.doubts = FixDoubts(.jump)
        memory.observe(suspect, at: 2400, day: 100)
        #expect(memory.count == 0)
    }

    @Test func aFixElsewhereForgetsThePlaceAndSilencesTheOthersForTenMinutes() {
        var memory = memory()
        rest(&memory, [11, 12, 13, 14], north: 5000, from: 2000)
        #expect(memory.count == 2)
        memory.observe(scan([1, 2, 3, 4]), at: 10_000)
        memory.observe(fix(10_000, north: 2000), at: 10_000, day: 100)
        #expect(memory.count == 1)
        for (time, isGiven) in [(10_001.0, false), (10_599, false), (10_601, true)] {
            memory.observe(scan([11, 12, 13, 14]), at: time)
            #expect((location(&memory, at: time) != nil) == isGiven, "\(time)")
        }
    }

    /// A fix that is made shortly before, on the way: at the bus stop, or in the next town.
    @Test func thePlaceIsNotGivenSoonAfterAFixFarAway() {
        var memory = memory()
        memory.observe(scan([1, 2, 3, 4]), at: 9000)
        #expect(location(&memory, at: 9000, after: (fix(0, north: 150), 60)) != nil)
        #expect(location(&memory, at: 9000, after: (fix(0, north: 500), 60)) == nil)
        #expect(location(&memory, at: 9000, after: (fix(0, north: 500), 599)) == nil)
        #expect(location(&memory, at: 9000, after: (fix(0, north: 500), 601)) != nil)
    }

    @Test func aRouterThatMovedHouseIsUnlearnt() {
        var memory = memory([1, 2, 3, 4])
        rest(&memory, [1, 11, 12, 13], north: 5000, from: 90_000)
        #expect(memory.count == 2)
        memory.observe(scan([1, 11, 12]), at: 95_000)
        #expect(distance(location(&memory, at: 95_000), north: 5000) < 1)
        memory.observe(scan([2, 3, 4]), at: 97_000)
        #expect(distance(location(&memory, at: 97_000), north: 0) < 1)
        // Another one moves: the first place has too few left to be known by.
        rest(&memory, [2, 3, 21, 22], north: 9000, from: 100_000)
        #expect(memory.count == 2)
        memory.observe(scan([2, 3, 4]), at: 105_000)
        #expect(distance(location(&memory, at: 105_000), north: 9000) < 1)
    }

    @Test func emittersThatMoveNeverCount() {
        var memory = memory([1, 2, 3, 4])
        memory.forget([1])
        #expect(memory.count == 1)
        memory.forget([2, 9])
        #expect(memory.count == 0)
    }

    @Test func twoPlacesWithACommonEmitterAreTold() {
        var memory = memory([1, 2, 3, 4])
        rest(&memory, [4, 5, 6, 7], north: 150, from: 2000)
        #expect(memory.count == 2)
        for (ids, north) in [([1, 2, 3, 4], 0.0), ([4, 5, 6, 7], 150)] as [([UInt64], Double)] {
            memory.observe(scan(ids), at: 5000)
            #expect(distance(location(&memory, at: 5000), north: north) < 1)
        }
        // A single one in common is no evidence.
        memory.observe(scan([4, 8, 9]), at: 6000)
        #expect(location(&memory, at: 6000) == nil)
    }

    /// A street where the same access points are heard everywhere.
    @Test func equalSurroundingsGiveACircleAroundAllPlacesOrNone() throws {
        func place(_ north: Double) -> RememberedPlace {
            let location = fix(0, north: north)
            return RememberedPlace(
                latitude: location.latitude, longitude: location.longitude, radius: 65, lastUse: 1,
                radio: RadioPlace(strengths: [1: 0.8, 2: 0.8, 3: 0.8]))
        }
        var near = PlaceMemory(places: [place(0), place(100)])
        near.observe(scan([1, 2, 3]), at: 0)
        let given = try #require(location(&near, at: 0))
        let radius = try #require(given.horizontalAccuracy)
        #expect(radius <= 300 && distance(given, north: 0) + 65 <= radius && distance(given, north: 100) + 65 <= radius)
        var far = PlaceMemory(places: [place(0), place(350)])
        far.observe(scan([1, 2, 3]), at: 0)
        #expect(location(&far, at: 0) == nil)
    }

    /// A bus that passes home with its own access points, or the strong ones of a shop.
    @Test func amongStrangersNoPlaceIsGiven() {
        var memory = memory()
        memory.observe(scan([1, 2, 3, 4] + (50..<60)), at: 1000)
        #expect(location(&memory, at: 1000) == nil)
    }

    /// NetworkManager hardly scans while it is connected.
    @Test func aConnectionToThePlaceHoldsIt() {
        var memory = memory()
        for (link, isHeld) in [(1, true), (99, false)] as [(UInt64, Bool)] {
            memory.pause()
            memory.observe(scan([1, 2, 3]), at: 1000)
            memory.observe(SurroundingsReport(links: [link]), at: 1005)
            #expect(location(&memory, at: 1050) != nil)
            #expect((location(&memory, at: 4000) != nil) == isHeld, "\(link)")
            memory.observe(SurroundingsReport(), at: 4001)
            #expect(location(&memory, at: 4001) == nil)
        }
        // After a sleep, the machine may be anywhere.
        memory.observe(scan([1, 2, 3], links: [1]), at: 5000)
        memory.pause()
        memory.observe(SurroundingsReport(links: [1]), at: 5010)
        #expect(location(&memory, at: 5010) == nil)
    }

    @Test func fixesAtTheEdgeEnlargeTheCircle() {
        var memory = memory()
        for (north, radius) in [(40.0, 65.0), (90, 100), (150, 175), (190, 200)] {
            memory.observe(scan([1, 2, 3, 4]), at: 1000)
            memory.observe(fix(1000, north: north), at: 1000, day: 100)
            #expect(location(&memory, at: 1000)?.horizontalAccuracy == radius, "\(north)")
        }
    }

    @Test func theLeastRecentlyUsedPlaceMakesRoom() {
        let places = (0..<PlaceMemory.maximumCount).map { index in
            let ids = (0..<3).map { UInt64(1000 + 3 * index + $0) }
            return RememberedPlace(
                latitude: 10 + Double(index) / 100, longitude: 0, radius: 65, lastUse: index == 7 ? 10 : 50,
                radio: RadioPlace(strengths: Dictionary(uniqueKeysWithValues: ids.map { ($0, 0.5) })))
        }
        var memory = PlaceMemory(places: places)
        rest(&memory, [1, 2, 3])
        #expect(memory.count == PlaceMemory.maximumCount)
        #expect(!memory.places.contains { $0.lastUse == 10 } && memory.places.contains { $0.lastUse == 100 })
    }

    @Test func aPlaceIsForgottenAfterAYearWithoutAUse() {
        var memory = memory()
        memory.expire(on: 465)
        #expect(memory.count == 1)
        memory.expire(on: 466)
        #expect(memory.count == 0)
    }

    @Test func thePlacesAroundTheDeviceAreCleared() {
        var memory = memory()
        rest(&memory, [11, 12, 13, 14], north: 5000, from: 2000)
        memory.pause()
        #expect(memory.clearHere(near: nil) == 0)
        memory.observe(scan([4, 99]), at: 9000)
        #expect(memory.clearHere(near: nil) == 1)
        #expect(distance(memory, north: 5000) < 1)
        memory.pause()
        #expect(memory.clearHere(near: fix(0, north: 5200)) == 1)
        #expect(memory.count == 0)
    }

    private func distance(_ memory: PlaceMemory, north: Double) -> Double {
        memory.places.first?.distance(to: fix(0, north: north)) ?? .infinity
    }

    // MARK: Bytes

    @Test func thePlacesOutlastARestart() throws {
        var memory = memory()
        rest(&memory, [11, 12, 13, 14], north: 5000, from: 2000, day: 20_000)
        let (changes, more) = (memory.takeChanges(), memory.takeChanges())
        let bytes = try #require(changes)
        #expect(more == nil)
        var copy = try #require(PlaceMemory(bytes: bytes))
        #expect(copy.count == 2 && copy.lastUse == 20_000)
        copy.observe(scan([11, 12, 14]), at: 0)
        let given = location(&copy, at: 0)
        #expect(distance(given, north: 5000) < 1 && given?.horizontalAccuracy == 65)
        #expect(PlaceMemory(bytes: PlaceMemory().bytes)?.count == 0)
    }

    @Test func damagedBytesAreRefused() {
        let bytes = memory().bytes
        #expect(PlaceMemory(bytes: bytes) != nil)
        for length in 0..<bytes.count where length != 1 {
            #expect(PlaceMemory(bytes: Array(bytes.prefix(length))) == nil, "\(length)")
        }
        #expect(PlaceMemory(bytes: [2] + bytes.dropFirst()) == nil)
        #expect(PlaceMemory(bytes: [1] + Array(repeating: 255, count: 22)) == nil)
    }

    @Test func theLongestMemoryFits() {
        let many = Dictionary(uniqueKeysWithValues: (0..<100).map { (UInt64($0), 0.5) })
        let place = RememberedPlace(
            latitude: -90, longitude: 180, radius: 1000, lastUse: 99_999, radio: RadioPlace(strengths: many))
        let memory = PlaceMemory(places: Array(repeating: place, count: PlaceMemory.maximumCount))
        #expect(memory.bytes.count == PlaceMemory.maximumLength)
        #expect(PlaceMemory(bytes: memory.bytes)?.count == PlaceMemory.maximumCount)
    }

    @Test func aListOfEmittersOutlastsARestart() {
        #expect(EmitterList(bytes: EmitterList(ids: [1, .max, 258]).bytes)?.ids == [1, .max, 258])
        #expect(EmitterList(bytes: [])?.ids == [])
        #expect(EmitterList(bytes: [1, 2, 3]) == nil)
        var stillness = Stillness()
        stillness.mobileEmitters = [7, 8]
        for time in stride(from: 0.0, through: 600, by: 60) { stillness.observe(scan([7, 8], links: [7]), at: time) }
        stillness.advance(to: 600)
        #expect(!stillness.isStill && stillness.mobileEmitters == [7, 8])
    }
}
