import TestSupport
import Testing

@testable import LocationModel

@Suite struct GeoidModelTests {
    /// GeoidEval 2.1.2 with NGA's EGM96 (egm96-15): the places of NGA's test data for EGM96, and extremes.
    @Test(arguments: [
        (38.628155, -90.220845, -31.62), (-14.621217, -54.978886, -2.97), (46.874319, 102.448729, -43.58),
        (-23.617446, 133.874712, 15.88), (38.625473, -0.0005, 50.06), (-0.466744, 0.0023, 17.33),
        (4.7, 78.8, -107.02), (-2.5, 141, 75.01), (27.988, 86.925, -28.75), (0, 179.5, 21.58), (63.5, -19, 65.37),
        (-53, 73, 39.56),
    ])
    func theSeparationIsNearNGAs(_ latitude: Double, _ longitude: Double, _ expected: Double) {
        let separation = GeoidModel.separation(latitude: latitude, longitude: longitude)
        // The geoid rises by 33 m from 26° N to 28° N there.
        let limit = longitude == 86.925 ? 12.0 : 4.4
        #expect(abs(separation - expected) < limit, "\(separation)")
    }

    @Test func theTableCoversTheEarthWithoutASeam() {
        #expect(GeoidModel.decimetres.count == 37 * 72)
        for latitude in stride(from: -90, through: 90, by: 2.5) {
            let west = GeoidModel.separation(latitude: latitude, longitude: -180)
            #expect(west == GeoidModel.separation(latitude: latitude, longitude: 180))
            #expect(abs(west - GeoidModel.separation(latitude: latitude, longitude: 180 - 1e-9)) < 1e-6)
        }
        for pole in [-90.0, 90] {
            let separations = (-180...180).map { GeoidModel.separation(latitude: pole, longitude: Double($0)) }
            #expect(Set(separations).count == 1)
        }
    }

    @Test func itIsContinuousAndWithinTheBoundsOfTheGeoid() {
        var random = SeededRandom(seed: 5)
        for _ in 0..<10_000 {
            let latitude = Double.random(in: -89.9...89.9, using: &random)
            let longitude = Double.random(in: -179.9...179.9, using: &random)
            let here = GeoidModel.separation(latitude: latitude, longitude: longitude)
            let north = GeoidModel.separation(latitude: latitude + 0.001, longitude: longitude)
            let east = GeoidModel.separation(latitude: latitude, longitude: longitude + 0.001)
            #expect((-107...86).contains(here) && abs(north - here) < 0.02 && abs(east - here) < 0.02)
        }
    }

    @Test(arguments: [(90.001, 0), (-91, 0), (0, 180.001), (.nan, 0), (0, .nan), (.infinity, 0), (0, -.infinity)])
    func thereIsNoneOutOfRange(_ latitude: Double, _ longitude: Double) {
        #expect(GeoidModel.separation(latitude: latitude, longitude: longitude).isNaN)
    }

    private func location(_ altitude: Double?, _ ellipsoidal: Double?, accuracy: Double?) -> Location {
        var location = Location(timestamp: Timestamp(millisecondsSince1970: 0), latitude: 50, longitude: 10)
        (location.altitude, location.ellipsoidalAltitude, location.verticalAccuracy) = (altitude, ellipsoidal, accuracy)
        location.addModelledAltitude()
        return location
    }

    @Test func theMissingAltitudeIsComputedAndMarked() {
        // A node of the table.
        let separation = GeoidModel.separation(latitude: 50, longitude: 10)
        let ellipsoidal = location(500, nil, accuracy: 1.2)
        #expect(ellipsoidal.altitude == 500 && ellipsoidal.verticalAccuracy == 1.2)
        #expect(ellipsoidal.ellipsoidalAltitude == 500 + separation)
        #expect(ellipsoidal.modelledAltitude == .ellipsoidalAltitude)
        // Apps read the vertical accuracy as that of the altitude above mean sea level.
        let altitude = location(nil, 500, accuracy: 1.2)
        #expect(altitude.altitude == 500 - separation && altitude.ellipsoidalAltitude == 500)
        #expect(altitude.verticalAccuracy == 2)
        #expect(altitude.modelledAltitude == .altitude)
        #expect(location(nil, 500, accuracy: nil).verticalAccuracy == nil)
    }

    @Test(arguments: [(500.0, 548.0), (nil, nil)])
    func bothOrNoneStayAsTheyAre(_ altitude: Double?, _ ellipsoidal: Double?) {
        let location = location(altitude, ellipsoidal, accuracy: 3)
        #expect(location.altitude == altitude && location.ellipsoidalAltitude == ellipsoidal)
        #expect(location.verticalAccuracy == 3 && location.modelledAltitude == nil)
    }
}
