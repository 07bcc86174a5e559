/// A metric with its help and its samples.
struct MetricFamily: Equatable {
    /// The kind of metric.
    enum Kind: String {
        /// A value that goes up and down.
        case gauge
        /// A count that only grows, and begins again at 0 with the daemon or with the opening of a port.
        case counter
    }

    /// One value, with the labels that distinguish it from the others of its family.
    struct Sample: Equatable {
        /// The names of labels and their values, in order. A value may be any text.
        var labels: [Label]
        var value: Double
    }

    /// The name of a label, of letters and underscores, and its value.
    struct Label: Equatable {
        var name: String
        var value: String
    }

    /// The name, without the suffix of a counter.
    let name: String
    let kind: Kind
    /// One line of plain text.
    let help: String
    /// The samples, each with different labels.
    private(set) var samples: [Sample] = []
    /// The indices of the samples, by their labels as they are written.
    private var places: [String: Int] = [:]

    init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }

    /// The unit, which ends the name, or `nil` for a number without a unit.
    var unit: String? { ["seconds", "meters"].first { name.hasSuffix("_\($0)") } }

    /// Adds a value, unless it is missing or not a number.
    ///
    /// Attack: two apps have names that look alike once they are written. Prometheus refuses a whole file if two
    /// samples have the same labels, so that all metrics of the machine are lost. So their values are added up.
    mutating func add(_ value: Double?, _ labels: KeyValuePairs<String, String> = [:]) {
        guard let value, value.isFinite else { return }
        let sample = Sample(labels: labels.map { Label(name: $0.key, value: $0.value) }, value: value)
        let written = MetricsText.labels(of: sample)
        if let place = places[written] {
            samples[place].value += value
        } else {
            places[written] = samples.count
            samples.append(sample)
        }
    }

    /// Adds a count, unless it is missing.
    mutating func add(_ count: Int?, _ labels: KeyValuePairs<String, String> = [:]) {
        add(count.map(Double.init), labels)
    }

    static func == (a: Self, b: Self) -> Bool {
        a.name == b.name && a.kind == b.kind && a.help == b.help && a.samples == b.samples
    }
}
