internal import ArgumentParser

/// How `watch` writes.
enum WatchFormat: EnumerableFlag {
    case text, json, csv, gpx

    static func name(for value: WatchFormat) -> NameSpecification { .long }

    /// A writer to standard output.
    var writer: any UpdateWriter {
        switch self {
        case .text: TextUpdateWriter()
        case .json: JSONUpdateWriter()
        case .csv: CSVUpdateWriter()
        case .gpx: GPXUpdateWriter()
        }
    }
}
