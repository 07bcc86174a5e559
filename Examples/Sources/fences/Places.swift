import CoreLocation

/// Returns the places of a file, or `nil` if a line is not a place.
func places(in text: String) -> [CLCircularRegion]? {
    var places: [CLCircularRegion] = []
    for line in text.split(separator: "\n") {
        let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        guard fields.count == 4, let latitude = Double(fields[1]), let longitude = Double(fields[2]),
            let radius = Double(fields[3]), radius > 0
        else { return nil }
        let center = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
        guard CLLocationCoordinate2DIsValid(center) else { return nil }
        places.append(CLCircularRegion(center: center, radius: radius, identifier: fields[0]))
    }
    return places
}
