internal import LocationModel
internal import LocationctlSupport

/// A location as comma-separated values (RFC 4180).
enum CSVRow {
    static let header = """
        timestamp,latitude,longitude,horizontalAccuracy,altitude,ellipsoidalAltitude,verticalAccuracy,course,\
        courseAccuracy,speed,speedAccuracy,simulated,receiver,quality,correctionAge,satellitesUsed,horizontalDilution\r\n
        """

    static func text(_ location: Location) -> String {
        let numbers = [
            location.horizontalAccuracy, location.altitude, location.ellipsoidalAltitude, location.verticalAccuracy,
            location.course, location.courseAccuracy, location.speed, location.speedAccuracy,
        ]
        var cells = ["\(location.timestamp)", "\(location.latitude)", "\(location.longitude)"]
        cells += numbers.map(text)
        cells += ["\(location.simulated)", quoted(Terminal.printable(location.receiver ?? ""))]
        cells.append(location.quality?.rawValue ?? "")
        cells += [text(location.correctionAge), location.satellitesUsed.map(String.init) ?? ""]
        cells.append(text(location.horizontalDilution))
        return cells.joined(separator: ",") + "\r\n"
    }

    private static func text(_ number: Double?) -> String { number.map { "\($0)" } ?? "" }

    private static func quoted(_ text: String) -> String {
        guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
