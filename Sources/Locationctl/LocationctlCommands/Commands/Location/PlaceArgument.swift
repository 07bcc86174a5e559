internal import ArgumentParser
internal import LocationctlSupport

/// A place on the command line: `LAT,LON`, in degrees.
struct PlaceArgument {
    let latitude: Double
    let longitude: Double

    /// Parses a place such as `-33.9,18.4`. Throws an error that says what is wrong with it.
    init(_ text: String) throws {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            Double(String(part.drop(while: \.isWhitespace)))
        }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1] else {
            throw ValidationError("write a place as LAT,LON in degrees, such as -33.9,18.4")
        }
        guard (-90...90).contains(latitude) else {
            throw ValidationError("the latitude must be between -90 and 90 degrees")
        }
        guard (-180...180).contains(longitude) else {
            throw ValidationError("the longitude must be between -180 and 180 degrees")
        }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The place as text for users.
    var text: String {
        Decimal.text(latitude, digits: 6, unit: "°") + ", " + Decimal.text(longitude, digits: 6, unit: "°")
    }

    /// Returns the program's arguments, with a space before each place that begins with a minus sign: the parser
    /// would mistake it for an option. No option begins like a number.
    static func marked(_ arguments: some Sequence<String>) -> [String] {
        arguments.map { argument in
            guard argument.first == "-", let second = argument.dropFirst().first else { return argument }
            return "0123456789.".contains(second) && argument.contains(",") ? " " + argument : argument
        }
    }
}
