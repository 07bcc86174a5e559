internal import LocationProtocol
internal import LocationctlSupport

/// The texts of `locationctl setup`.
package enum SetupText {
    static let noPort = """
        No serial port was found. Plug the receiver in, and run this again. `sudo locationctl doctor` says what keeps \
        a HAT on a Raspberry Pi from having a port; for a gpsd, write source = "gpsd:" in /etc/locationd/locationd.toml.
        """
    /// Returns the text about a named port that does not exist.
    static func noSuchPort(_ name: String) -> String {
        if name.hasPrefix("bluetooth:") {
            return """
                BlueZ knows no paired device \(name.dropFirst(10)) that offers the serial port profile or Nordic's \
                UART service: `bluetoothctl devices` lists those that it knows, and `bluetoothctl info` what they offer
                """
        }
        if name.hasPrefix("modem:") {
            return """
                ModemManager knows no modem with a receiver that it can start now: `systemctl status ModemManager` \
                says whether it runs, `mmcli -L` which modems it knows, and `mmcli -m any` whether one is switched on
                """
        }
        return "there is no port \(name): `ls -l /dev/serial/by-id` lists what there is"
    }
    static let nothingHeard = """
        No receiver was heard. Check that it is switched on and that its wire for sending is connected; \
        `sudo locationctl doctor` finds other causes.
        """
    static let noAnswer = "There was no answer. --port and --yes answer on the command line."
    static let noFix = """
        There was no fix in this time. The receiver stays configured. `sudo locationctl doctor` says whether it can be \
        read; if so, give it a clear view of the sky.

        """
    static let end = "Done. `sudo locationctl dashboard` shows the receiver, and who looks where you are.\n"

    /// Returns the announcement of the next step, with the ports.
    static func listening(at candidates: [SetupPort], of ports: [SetupPort]) -> String {
        let found = ports.count == 1 ? "There is 1 serial port" : "There are \(ports.count) serial ports"
        guard !candidates.isEmpty else { return "\(found).\n" }
        let names = candidates.map { name($0) }.joined(separator: ", ")
        return "\(found). Listening, without writing anything, at \(names) ...\n"
    }

    private static func name(_ port: SetupPort) -> String {
        port.path + (port.product.map { " (\($0))" } ?? "")
    }

    /// Returns the ports with their numbers and their traffic.
    static func table(_ ports: [SetupPort], on medium: OutputMedium) -> String {
        var table = Table(
            "", .init("PORT", leastWidth: 14), .init("DEVICE", sacrifice: 1, leastWidth: 14, isOptional: true),
            .init("HEARD", leastWidth: 20))
        for (index, port) in ports.enumerated() {
            table.add("\(index + 1)", port.path, port.product ?? "", port.report)
        }
        return table.text(on: medium, nothing: "")
    }

    static func choice(preferred: Int?) -> String {
        let nothing = preferred == nil ? nothingHeard + "\n" : ""
        return nothing + "Which one is to be used? [\(preferred.map(String.init) ?? "none")] "
    }

    /// Returns the question before anything is written.
    ///
    /// - Parameter current: The source that setup wrote before.
    static func question(_ port: SetupPort, current: String?) -> String {
        let warning = port.isReceiver ? "" : "No receiver was heard at \(port.path).\n"
        let change =
            switch current {
            case nil: "Have locationd read \(port.source)?"
            case port.source?: "locationd is configured to read \(port.source). Write that again?"
            case let current?: "Have locationd read \(port.source) instead of \(current)?"
            }
        return warning + change + (port.isReceiver ? " [Y/n] " : " [y/N] ")
    }

    package static func written(_ file: String, isOther: Bool) -> String {
        isOther ? "\(file) names it already, and stays as it is.\n" : "\(file) was written.\n"
    }

    static func waiting(isConfirmed: Bool) -> String {
        isConfirmed
            ? "Waiting for the first fix ...\n"
            : "Waiting for the first fix. Enter goes on without it; Ctrl-C undoes what was written.\n"
    }

    static func fix(_ receiver: ReceiverSummary) -> String {
        let accuracy = receiver.horizontalAccuracy.map { ", accurate to \(Decimal.accuracy($0))" } ?? ""
        let satellites = receiver.satellitesUsed.map { " with \($0) satellites" } ?? ""
        return "The receiver has a fix\(satellites)\(accuracy).\n"
    }

    static let introduction =
        "Ask the receiver who it is, now and whenever its port is opened? Nothing is changed in it. [y/N] "

    static let noIdentity = "It did not answer, and is not asked again.\n"

    static func identity(_ identity: ReceiverIdentityReport) -> String {
        """
        It is a receiver by \(ReceiverText.identity(identity)).
        With profile = "auto", which was written, locationd can set it: see "A receiver that does more" in \
        /usr/share/doc/locationd/docs/users.md.

        """
    }

    static func offer(_ permission: SetupPermission) -> String {
        "No app gets the location unless you allow it. Allow \(permission.app) of \(permission.userName) to have it "
            + "while in use, for `locationctl watch` and `get`? [y/N] "
    }

    /// Returns the answer in a line to a yes-or-no question, or `nil` if it is neither.
    package static func answer(_ line: String, preferred: Bool) -> Bool? {
        switch line.lowercased().filter({ !$0.isWhitespace }) {
        case "": preferred
        case "y", "yes": true
        case "n", "no": false
        default: nil
        }
    }
}
