internal import Devices
internal import LocationProtocol
internal import LocationctlSupport
internal import ReceiverSettings

/// The check of the instances of locationd-ntrip(8), by their files and the statuses that they report, and of the
/// receivers for their corrections.
enum CorrectionsCheck {
    /// The pattern of their units for systemctl(1), which shows the loaded ones.
    static let units = "locationd-ntrip@*.service"

    private static let prefix = "locationd-ntrip@"
    private static let suffix = ".service"
    /// The share of a line that corrections may fill. Commands to the receiver need some of the rest.
    private static let usableShare = 0.9

    static func findings(in facts: Facts) -> [Finding] {
        let units = facts.system.units.values.filter { $0.name.hasPrefix(prefix) }.sorted { $0.name < $1.name }
        let running = units.filter(\.isActive)
        let states = units.compactMap { $0.isActive ? state(of: $0) : Finding.failure(of: $0) }
        let lines = running.isEmpty ? [] : receivers(facts) + slowLines(facts, running)
        return plainPasswords(facts) + states + lines
    }

    private static func plainPasswords(_ facts: Facts) -> [Finding] {
        facts.casters.filter { $0.value.hasUser && !$0.value.usesTLS }.keys.sorted().map { name in
            .problem(
                translated("the password for the caster of {name} is sent without encryption", ["name": name]),
                why: translated("everyone on the way can read it"),
                advice: translated(
                    "write ntrips:// in /etc/locationd/ntrip/{name}.toml if the caster has TLS, with its port",
                    ["name": name]))
        }
    }

    // MARK: The state

    private static func state(of unit: UnitFacts) -> Finding {
        let status = unit.statusText
        guard !status.isEmpty else { return .ok(translated("{unit} is running", ["unit": unit.name])) }
        let what = "\(unit.name): \(status)"
        let name = String(unit.name.dropFirst(prefix.count).dropLast(suffix.count))
        let file = "/etc/locationd/ntrip/\(name).toml"
        if status.hasPrefix("Stopped: ") { return stopped(what, unit, name, file) }
        if status.hasPrefix("No corrections: ") { return interrupted(what, unit, file) }
        if status.hasPrefix("Receiving "), status.hasSuffix(" km away") {
            return .problem(
                what,
                why: translated("so far from the station, positions in centimetres are rare"),
                advice: translated("`sudo locationctl setup --corrections` lists the caster's stations by distance"))
        }
        if status.hasPrefix("No station ") {
            return .problem(
                what,
                why: translated("the nearest one is more than 35 km away, or 15 km if it measures one carrier"),
                advice: translated("use another caster, or one that computes corrections for a place"))
        }
        if status.hasPrefix("Waiting for the location") {
            return .note(
                what,
                why: translated("the caster gets a position, or the nearest station is looked for"),
                advice: translated(
                    """
                    if there is a fix, `sudo locationctl grant --always --reduced --uid $(id -u locationd-ntrip) \
                    service:locationd-ntrip@{name}`
                    """, ["name": name]))
        }
        return .ok(what)
    }

    private static func stopped(_ what: String, _ unit: UnitFacts, _ name: String, _ file: String) -> Finding {
        if what.contains("user and the password") {
            return .problem(
                what,
                why: translated("casters ban who repeats it"),
                advice: translated(
                    """
                    correct /etc/credstore/locationd-ntrip.{name}.user and .password; then `sudo systemctl restart \
                    {unit}`
                    """, ["name": name, "unit": unit.name]))
        }
        guard what.contains("mount point") else {
            return .problem(
                what,
                advice: translated(
                    "correct {file}; then `sudo systemctl restart {unit}`", ["file": file, "unit": unit.name]))
        }
        return .problem(
            what,
            why: translated("casters ban who repeats it"),
            advice: translated(
                """
                correct the mount point in {file}; then `sudo systemctl restart {unit}`; `sudo locationctl setup \
                --corrections` lists all
                """, ["file": file, "unit": unit.name]))
    }

    private static func interrupted(_ what: String, _ unit: UnitFacts, _ file: String) -> Finding {
        if what.contains("the caster sends no corrections") {
            return .problem(
                what,
                why: translated("the station is switched off, or the caster waits for a position"),
                advice: translated(
                    "try another mount point; `position = \"reduced\"` in {file} sends a cell of 5 km", ["file": file]))
        }
        if what.contains("there is no receiver") || what.contains("takes no corrections") {
            return .problem(
                what,
                advice: translated(
                    "correct the key receiver in {file}, or leave it out for any receiver", ["file": file]))
        }
        return .problem(what, advice: translated("`sudo journalctl -u {unit} -n 50` says more", ["unit": unit.name]))
    }

    // MARK: Receivers

    private static func receivers(_ facts: Facts) -> [Finding] {
        let receivers = facts.receivers.filter(\.isAtPort)
        guard facts.service.receivers != nil, !facts.configured.statesCorrections,
            !receivers.contains(where: { $0.identity?.takesCorrections == true })
        else { return [] }
        let others = receivers.compactMap { receiver in receiver.identity.map { (receiver, $0) } }
        guard others.count == receivers.count, !receivers.isEmpty else {
            return [
                .note(
                    translated("no receiver has said that it takes corrections"),
                    why: translated("only a receiver with a profile is asked, once it is open"),
                    advice: translated(
                        "add profile = \"auto\" to the receiver in locationd.toml(5), or corrections = true"))
            ]
        }
        let names = others.map { "\($0.0.name) (\($0.1.model ?? $0.1.maker))" }.joined(separator: ", ")
        return [
            .problem(
                translated("no receiver takes corrections: {receivers}", ["receivers": names]),
                why: translated("they have no input for RTCM 3, as a u-blox M10"),
                advice: translated("use a receiver that computes with corrections: locationd-ntrip(8) names them"))
        ]
    }

    /// Returns a finding for each receiver whose line is too slow for the corrections that arrive.
    private static func slowLines(_ facts: Facts, _ running: [UnitFacts]) -> [Finding] {
        let rate = running.compactMap { bytesPerSecond(in: $0.statusText) }.reduce(0, +)
        return facts.receivers.compactMap { receiver in
            // A receiver's own USB has no baud rate.
            guard receiver.identity?.takesCorrections == true, receiver.port?.contains("ttyACM") == false,
                let baudRate = receiver.baudRate, Double(rate) > Self.usableShare * Double(baudRate) / 10
            else { return nil }
            return .problem(
                translated(
                    "{rate} bytes/s of corrections arrive, and the line to {receiver} carries {capacity}",
                    ["rate": "\(rate)", "receiver": receiver.name, "capacity": "\(baudRate / 10)"]),
                why: translated("the rest is dropped, and the receiver may never compute with them"),
                advice: translated(
                    "set the receiver's port to 115,200 baud, or choose a mount point with fewer messages"))
        }
    }

    /// Returns the rate in the status of an instance that receives corrections.
    static func bytesPerSecond(in status: String) -> Int? {
        let unit = " bytes/s"
        return status.split(separator: ",").map(\.trimmed).first { $0.hasSuffix(unit) }
            .flatMap { Int($0.dropLast(unit.count)) }
    }
}

extension ReceiverIdentityReport {
    /// A Boolean value indicating whether the receiver takes corrections.
    fileprivate var takesCorrections: Bool {
        guard let dialect = ReceiverProfile.Dialect(rawValue: dialect) else { return false }
        return ReceiverIdentity(dialect, maker: maker, model: model, firmware: firmware).takesCorrections
    }
}

extension ReceiverSummary {
    /// A Boolean value indicating whether the receiver is at a serial port.
    fileprivate var isAtPort: Bool {
        switch source {
        case .serial?, .usb?: true
        default: false
        }
    }
}
