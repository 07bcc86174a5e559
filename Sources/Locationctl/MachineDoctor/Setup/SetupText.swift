internal import LocationProtocol
internal import LocationctlSupport

/// The texts of `locationctl setup`.
package enum SetupText {
    static var noPort: String {
        // Translators: A HAT is a board on a Raspberry Pi. Commands and settings stay as they are.
        translated(
            """
            No serial port was found. Plug the receiver in, and run this again. `sudo locationctl doctor` says what \
            keeps a HAT on a Raspberry Pi from having a port; for a gpsd, write source = "gpsd:" in \
            /etc/locationd/locationd.toml.
            """)
    }

    /// Returns the text about a named port that does not exist.
    static func noSuchPort(_ name: String) -> String {
        if name.hasPrefix("bluetooth:") {
            return translated(
                """
                BlueZ knows no paired device {device} that offers the serial port profile or Nordic's UART service: \
                `bluetoothctl devices` lists those that it knows, and `bluetoothctl info` what they offer
                """, ["device": String(name.dropFirst(10))])
        }
        if name.hasPrefix("modem:") {
            return translated(
                """
                ModemManager knows no modem with a receiver that it can start now: `systemctl status ModemManager` \
                says whether it runs, `mmcli -L` which modems it knows, and `mmcli -m any` whether one is switched on
                """)
        }
        return translated("there is no port {port}: `ls -l /dev/serial/by-id` lists what there is", ["port": name])
    }

    static var nothingHeard: String {
        translated(
            """
            No receiver was heard. Check that it is switched on and that its wire for sending is connected; \
            `sudo locationctl doctor` finds other causes.
            """)
    }

    static var noAnswer: String { translated("There was no answer. --port and --yes answer on the command line.") }

    static var noFix: String {
        translated(
            """
            There was no fix in this time. The receiver stays configured. `sudo locationctl doctor` says whether it \
            can be read; if so, give it a clear view of the sky.
            """) + "\n"
    }

    static var end: String {
        translated("Done. `sudo locationctl dashboard` shows the receiver, and who looks where you are.") + "\n"
    }

    /// Returns the announcement of the next step, with the ports.
    static func listening(at candidates: [SetupPort], of ports: [SetupPort]) -> String {
        let found = translated(
            "There is 1 serial port.", plural: "There are {count} serial ports.", count: ports.count)
        guard !candidates.isEmpty else { return found + "\n" }
        let names = candidates.map { name($0) }.joined(separator: translated(", "))
        // Translators: setup hears what receivers at these ports send.
        return found + " " + translated("Listening, without writing anything, at {ports} ...", ["ports": names]) + "\n"
    }

    private static func name(_ port: SetupPort) -> String {
        port.path + (port.product.map { " (\($0))" } ?? "")
    }

    /// Returns the ports with their numbers and their traffic.
    static func table(_ ports: [SetupPort], on medium: OutputMedium) -> String {
        var table = Table(
            // Translators: Heading of a column with serial ports.
            "", .init(translated("PORT"), leastWidth: 14),
            // Translators: Heading of a column with the products at the ports.
            .init(translated("DEVICE"), sacrifice: 1, leastWidth: 14, isOptional: true),
            // Translators: Heading of the column about the traffic of the ports.
            .init(translated("HEARD"), leastWidth: 20))
        for (index, port) in ports.enumerated() {
            table.add("\(index + 1)", port.path, port.product ?? "", port.report)
        }
        return table.text(on: medium, nothing: "")
    }

    static func choice(preferred: Int?) -> String {
        let nothing = preferred == nil ? nothingHeard + "\n" : ""
        // Translators: The answer for an empty line: none of the ports.
        let number = preferred.map(String.init) ?? translated("none")
        // Translators: After a list of ports with numbers. The number is the answer for an empty line.
        return nothing + translated("Which one is to be used? [{number}]", ["number": number]) + " "
    }

    /// Returns the question before anything is written.
    ///
    /// - Parameter current: The source that setup wrote before.
    static func question(_ port: SetupPort, current: String?) -> String {
        let heard = translated("No receiver was heard at {port}.", ["port": port.path])
        let warning = port.isReceiver ? "" : heard + "\n"
        let change =
            switch current {
            case nil: translated("Have locationd read {source}?", ["source": port.source])
            case port.source?:
                translated("locationd is configured to read {source}. Write that again?", ["source": port.source])
            case let current?:
                translated(
                    "Have locationd read {source} instead of {other}?", ["source": port.source, "other": current])
            }
        return "\(warning)\(change) \(port.isReceiver ? choiceYes : choiceNo) "
    }

    // Translators: The answers to a question, the first letters of "yes" and "no"; an empty line means yes.
    private static var choiceYes: String { translated("[Y/n]") }
    // Translators: The answers to a question, the first letters of "yes" and "no"; an empty line means no.
    private static var choiceNo: String { translated("[y/N]") }

    package static func written(_ file: String, isOther: Bool) -> String {
        let places: KeyValuePairs = ["file": file]
        // Translators: The file already names the receiver.
        guard !isOther else { return translated("{file} names it already, and stays as it is.", places) + "\n" }
        return translated("{file} was written.", places) + "\n"
    }

    static func waiting(isConfirmed: Bool) -> String {
        let text =
            isConfirmed
            ? translated("Waiting for the first fix ...")
            : translated("Waiting for the first fix. Enter goes on without it; Ctrl-C undoes what was written.")
        return text + "\n"
    }

    static func fix(_ receiver: ReceiverSummary) -> String {
        let accuracy = receiver.horizontalAccuracy.map { Decimal.accuracy($0) }
        return fix(receiver.satellitesUsed, accuracy: accuracy) + "\n"
    }

    private static func fix(_ satellites: Int?, accuracy: String?) -> String {
        switch (satellites, accuracy) {
        case (let satellites?, let accuracy?):
            translated(
                // Translators: A fix is a position that the receiver has computed. The accuracy is like "±4.2 m".
                "The receiver has a fix with {satellites} satellites, accurate to {accuracy}.",
                ["satellites": "\(satellites)", "accuracy": accuracy])
        case (let satellites?, nil):
            translated("The receiver has a fix with {satellites} satellites.", ["satellites": "\(satellites)"])
        case (nil, let accuracy?):
            translated("The receiver has a fix, accurate to {accuracy}.", ["accuracy": accuracy])
        case (nil, nil): translated("The receiver has a fix.")
        }
    }

    static var introduction: String {
        let question = translated(
            "Ask the receiver who it is, now and whenever its port is opened? Nothing is changed in it.")
        return "\(question) \(choiceNo) "
    }

    static var noIdentity: String { translated("It did not answer, and is not asked again.") + "\n" }

    static func identity(_ identity: ReceiverIdentityReport) -> String {
        // Translators: The maker, the model, the software and the protocol of a receiver.
        let maker = translated("It is a receiver by {maker}.", ["maker": ReceiverText.identity(identity)])
        let profile = translated(
            """
            With profile = "auto", which was written, locationd can set it: see "A receiver that does more" in \
            /usr/share/doc/locationd/docs/users.md.
            """)
        return "\(maker)\n\(profile)\n"
    }

    static func offer(_ permission: SetupPermission) -> String {
        let question = translated(
            // Translators: A consent: the app has the location whenever it is in use, and not in the background.
            """
            No app gets the location unless you allow it. Allow {app} of {user} to have it while in use, for \
            `locationctl watch` and `get`?
            """, ["app": permission.app, "user": permission.userName])
        return "\(question) \(choiceNo) "
    }

    static var yesOrNo: String { translated("Answer with yes or no.") + "\n" }

    /// Returns the answer in a line to a yes-or-no question, or `nil` if it is neither: in English, or in the user's
    /// language.
    package static func answer(_ line: String, preferred: Bool) -> Bool? {
        let word = line.lowercased().filter { !$0.isWhitespace }
        // Translators: A word that the user types. Its first letter is an answer too.
        let yes = translated("yes")
        // Translators: A word that the user types. Its first letter is an answer too.
        let no = translated("no")
        if word.isEmpty { return preferred }
        if ["y", "yes", yes, String(yes.prefix(1))].contains(word) { return true }
        return ["n", "no", no, String(no.prefix(1))].contains(word) ? false : nil
    }
}
