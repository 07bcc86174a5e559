import TestSupport
import Testing

@testable import LogReport

struct StandStillTests {
    /// Adds a point for each second.
    private func add(
        _ standStills: inout StandStills, _ seconds: Range<Int>, speed: Double? = nil,
        _ offset: (Int) -> Offset = { _ in Offset(east: 0, north: 0) }
    ) {
        let plane = SurfacePoint.Plane(at: SurfacePoint(latitude: 59, longitude: 18))
        for second in seconds {
            standStills.add(Int64(second) * 1000, plane.place(at: offset(second)), speed: speed)
        }
    }

    @Test func twoMinutesAreAStandStill() {
        var standStills = StandStills()
        add(&standStills, 0..<120)
        standStills.finish()
        #expect(standStills.longest.kept.isEmpty)
        add(&standStills, 1000..<1121)
        standStills.finish()
        #expect(standStills.longest.kept.map(\.milliseconds) == [120_000])
    }

    @Test func movementAndGapsEndIt() {
        var standStills = StandStills()
        add(&standStills, 0..<200)
        add(&standStills, 200..<201, speed: 5)
        add(&standStills, 201..<401)
        add(&standStills, 500..<700)
        add(&standStills, 700..<1000) { Offset(east: 100 + Double($0 - 700) * 1.4, north: 0) }
        standStills.finish()
        #expect(standStills.longest.kept.map(\.fixes) == [200, 200, 200])
    }

    @Test func cepIsTheRadiusWithItsShareOfTheFixes() throws {
        var random = SeededRandom(seed: 11)
        var offsets: [Offset] = []
        var standStills = StandStills()
        add(&standStills, 0..<40_000) { _ in
            // About a normal distribution.
            let pair = (0..<2).map { _ in
                (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
            }
            offsets.append(Offset(east: 2 * pair[0], north: 2 * pair[1]))
            return offsets.last!
        }
        standStills.finish()
        let still = try #require(standStills.longest.kept.first)
        #expect(still.fixes == 40_000)
        let mean = offsets.reduce(Offset(east: 0, north: 0), +) * (1 / 40_000)
        let radii = offsets.map { ($0 - mean).length }.sorted()
        // Off by a fraction of the cells. By now each cell has some points.
        #expect(still.cellWidth <= 0.256)
        #expect(abs(still.cep50 - radii[19_999]) < 0.02)
        #expect(abs(still.cep95 - radii[37_999]) < 0.02)
        #expect(abs(still.cep50 - 2.355) < 0.05, "1.1774 σ for a normal distribution")
    }

    @Test func aFewFixesAreExactToAMillimetre() {
        var scatter = Scatter()
        for point in [SIMD2(3.0, 0), SIMD2(-3, 0), SIMD2(0, 1), SIMD2(0, -1)] { scatter.add(point) }
        let radii = scatter.radii([0.5, 0.95])
        #expect(abs(radii[0] - 1) < 0.001 && abs(radii[1] - 3) < 0.001)
    }

    @Test func theGridIsBounded() {
        var random = SeededRandom(seed: 3)
        var scatter = Scatter()
        for _ in 0..<100_000 {
            scatter.add(SIMD2(Double.random(in: -50...50, using: &random), Double.random(in: -50...50, using: &random)))
        }
        #expect(scatter.count == 100_000)
        #expect(scatter.cellWidth >= 0.5 && scatter.cellWidth <= 2.1)
    }
}
