internal import ArgumentParser

/// The output format of `watch`.
enum WatchFormat: EnumerableFlag {
    case text, json, csv, gpx

    static func name(for value: WatchFormat) -> NameSpecification { .long }

    /// The writer of this format.
    var writer: any UpdateWriter {
        switch self {
        case .text: TextUpdateWriter()
        case .json: JSONUpdateWriter()
        case .csv: CSVUpdateWriter()
        case .gpx: GPXUpdateWriter()
        }
    }
}
