import LocationModel

@testable import Receivers

/// A log of a simulated receiver that moves around the harbour.
struct Journey {
    /// 2026-03-14T09:26:53Z.
    static let departure = Timestamp(millisecondsSince1970: 1_773_480_413_000)

    /// The sentences of each epoch.
    let epochs: [[UInt8]]

    /// Creates a log of `count` epochs, one a second.
    init(count: Int, seed: UInt64 = 1, departure: Timestamp = departure) {
        var simulator = ReceiverSimulator(route: .harbour, seed: seed)
        epochs = (0..<count).map { second in
            simulator.sentences(
                at: Timestamp(millisecondsSince1970: departure.millisecondsSince1970 + Int64(second) * 1000))
        }
    }

    var bytes: [UInt8] { epochs.flatMap(\.self) }

    /// The timestamps of the epochs.
    var timestamps: [Timestamp] {
        epochs.indices.map {
            Timestamp(millisecondsSince1970: Self.departure.millisecondsSince1970 + Int64($0) * 1000)
        }
    }
}
