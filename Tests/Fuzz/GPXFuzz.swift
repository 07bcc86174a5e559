import GPX

@testable import Receivers

/// Fuzzes the GPX reader, and the route along the places that it finds.
func fuzzGPX(_ bytes: [UInt8]) {
    guard let outcome = CutInput(bytes)?.read(read) else { return }
    switch outcome {
    case .failure(let failure):
        precondition(1...1 + bytes.count ~= failure.line && !failure.message.isEmpty)
    case .success(let places):
        for place in places { check(place) }
        let route = Route(places: places)
        precondition(route.length.isFinite)
        for distance in [0, route.length / 3, route.length, 1e7] { check(route.position(after: distance).place) }
        let text = places.map { place in
            "<trkpt lat='\(place.latitude)' lon=\"\(place.longitude)\"><ele>\(place.altitude)</ele></trkpt>"
        }
        precondition(read([Array("<gpx>\(text.joined())</gpx>".utf8)]) == outcome, "is read again")
    }
}

private func read(_ pieces: [[UInt8]]) -> Result<[Route.Place], GPXReader.Failure> {
    Result { () throws(GPXReader.Failure) in
        var reader = GPXReader()
        for piece in pieces { try reader.read(piece.span) }
        return try reader.finish()
    }
}

private func check(_ place: Route.Place) {
    precondition((-90.0...90).contains(place.latitude) && (-180.0...180).contains(place.longitude))
    precondition(place.altitude.magnitude <= 100_000)
}
