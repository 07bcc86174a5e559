import Testing

@testable import Receivers

struct RouteTests {
    private func place(_ latitude: Double, _ longitude: Double, _ altitude: Double = 0) -> Route.Place {
        Route.Place(latitude: latitude, longitude: longitude, altitude: altitude)
    }

    @Test func anOpenRouteIsTravelledBackAndForth() {
        let route = Route(places: [place(0, 0), place(0, 0.01, 100)])
        let there = Route.earthRadius * 0.01 * .pi / 180
        #expect(abs(route.length - 2 * there) < 0.001)
        let middle = route.position(after: there / 2)
        #expect(abs(middle.place.longitude - 0.005) < 1e-9)
        #expect(abs(middle.place.altitude - 50) < 1e-6)
        #expect(middle.course == 90)
        #expect(route.position(after: there * 1.5).course == 270)
        #expect(abs(route.position(after: there * 2.5).place.longitude - 0.005) < 1e-9)
        #expect(abs(route.position(after: -there / 2).place.longitude - 0.005) < 1e-9)
    }

    @Test func aClosedRouteIsTravelledInALoop() {
        let route = Route(places: [place(50, 8), place(50.01, 8), place(50.01, 8.01), place(50.0001, 8)])
        #expect(route.position(after: route.length - 1).course == Route.course(place(50.0001, 8), place(50, 8)))
    }

    @Test func itCrossesTheAntimeridianTheShortWay() {
        let route = Route(places: [place(-17, 179.99), place(-17, -179.99)])
        #expect(route.length < 5000)
        let position = route.position(after: route.length / 4)
        #expect(position.place.longitude.magnitude > 179.999)
        #expect(position.course == 90)
    }

    @Test func aSinglePlaceIsStayedAt() {
        let route = Route(places: [place(1, 2, 3), place(1, 2, 3)])
        #expect(route.position(after: 1000) == Route.Position(place: place(1, 2, 3), course: nil))
    }

    @Test func placesThatComeTwiceDoNoHarm() {
        let route = Route(places: [place(0, 0), place(0, 0), place(0, 0.01), place(0, 0.01)])
        for metre in stride(from: 0, through: route.length, by: route.length / 1000) {
            #expect((0...0.01).contains(route.position(after: metre).place.longitude))
        }
    }

    @Test func theBuiltInRouteIsALoopOfSomeKilometresWithoutLeaps() {
        let route = Route.harbour
        #expect((2000...4000).contains(route.length))
        var last = route.position(after: 0).place
        for metre in stride(from: 3.0, through: 2 * route.length, by: 3) {
            let next = route.position(after: metre).place
            #expect(abs(Route.distance(last, next)) < 3.1)
            last = next
        }
    }
}
