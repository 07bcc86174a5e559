internal import AuthorizationPolicy
internal import LocationModel
internal import LocationctlSupport
internal import NTRIP

/// The texts of `locationctl setup --corrections`.
enum CorrectionsText {
    /// The first words of the file: a comment that identifies the command's own file.
    static let heading = "# By `locationctl setup --corrections`"
    /// The maximum number of mount points in the table.
    static let maximumRows = 10
    static let caster = "The caster, as in ntrips://HOST:PORT (with TLS) or ntrip://HOST:PORT: "
    static let user = "The user for the caster, or nothing if it wants none: "
    static let password = "The password, which is not shown: "
    static let plain = "Without TLS (ntrips://), everyone on the way can read the password.\n"

    /// Returns the mount points that are offered, with their numbers.
    static func table(_ stations: [Station], from place: NTRIP.Place?, on medium: OutputMedium) -> String {
        var table = Table(
            "", .init("MOUNT POINT", leastWidth: 12), .init("DISTANCE", isOptional: true), "CARRIERS", "POSITION")
        for (index, station) in stations.enumerated() {
            table.add(
                "\(index + 1)", station.mount, distance(to: station, from: place),
                station.carriers > 1 ? "several" : station.carriers == 1 ? "one" : "unknown",
                station.needsPosition ? "is sent, as a cell of 5 km" : "is not sent")
        }
        return table.text(on: medium, nothing: "")
    }

    private static func distance(to station: Station, from place: NTRIP.Place?) -> String {
        guard !station.isNetwork else { return "a network" }
        guard let place, let distance = station.place?.distance(to: place) else { return "" }
        let isFar = distance > NearestStation.greatestDistance(to: station)
        return Decimal.text(distance / 1000, digits: 0, unit: " km") + (isFar ? ", too far" : "")
    }

    static func choice(of count: Int) -> String {
        count > maximumRows ? "The number or the name of any of the \(count) mount points: [1] " : "The number: [1] "
    }

    static func question(_ unit: String, _ address: CasterAddress, needsPosition: Bool) -> String {
        let position =
            needsPosition
            ? "It computes corrections for a place, so that it gets your position, as a cell of 5 km.\n"
            : "It gets no position.\n"
        return "\(position)Have \(unit) pass on its corrections while an app needs them? [Y/n] "
    }

    /// Returns the configuration of an instance.
    static func file(_ address: CasterAddress, needsPosition: Bool) -> String {
        """
        \(heading), which replaces this file when it is run again.
        caster = \(TOMLSpelling.text("\(address)"))
        position = "\(needsPosition ? "reduced" : "none")"

        """
    }

    /// Returns the effect of corrections on a receiver, by its last location, if there is one.
    static func effect(on location: Location?) -> String {
        guard let location else { return "No receiver has had a fix in that time.\n" }
        let accuracy = "accurate to \(Decimal.accuracy(location.horizontalAccuracy))"
        switch location.quality {
        case .rtkFixed?: return "The receiver computes with them: RTK fixed, \(accuracy).\n"
        case .rtkFloat?: return "The receiver computes with them: RTK float so far, \(accuracy).\n"
        case .differential?: return "The receiver is corrected, by them or by SBAS: \(accuracy).\n"
        default:
            return """
                The receiver does not compute with them so far: \(accuracy). With a clear view of the sky, it takes a \
                minute or two; `sudo locationctl dashboard` shows it.

                """
        }
    }
}
