import LocationProtocol
import Testing

@testable import LocationctlCommands
@testable import LocationctlSupport
@testable import MachineDoctor

/// `locationctl receivers --settings`, and what the list and the doctor say about settings that a receiver lacks.
struct SettingsTableTests {
    private static var receiver: ReceiverSummary {
        var receiver = ReceiverSummary(name: "deck", specification: "serial:/dev/ttyS0", state: .running, fixes: 1)
        receiver.identity = ReceiverIdentityReport(
            dialect: "ublox", maker: "u-blox", model: "MAX-M10S", firmware: "SPG 5.10", protocolVersion: "34.10")
        receiver.settings = [
            ReceiverSettingReport(
                name: "model", before: "portable", wanted: "automotive", now: "portable", outcome: .refused),
            ReceiverSettingReport(name: "interval", before: "1 s", wanted: "0.2 s", now: "0.2 s", outcome: .applied),
            ReceiverSettingReport(name: "standby", outcome: .ignored),
        ]
        receiver.firstFixes = [
            FirstFixReport(seconds: 31.2, helped: false), FirstFixReport(seconds: 24, helped: true),
            FirstFixReport(seconds: 26, helped: true), FirstFixReport(seconds: 25, helped: true),
        ]
        return receiver
    }

    @Test func theTableHasALineForEachSetting() {
        let lines = SettingsTable.text([Self.receiver], on: .pipe).split(separator: "\n").map {
            $0.split(separator: " ").joined(separator: " ")
        }
        #expect(
            lines == [
                "RECEIVER SETTING BEFORE PROFILE NOW OUTCOME IDENTITY",
                "deck model portable automotive portable refused",
                "deck interval 1 s 0.2 s 0.2 s applied",
                "deck standby ignored u-blox MAX-M10S, SPG 5.10, protocol ublox 34.10; "
                    + "first fix after 25 s with help (of 3), 31 s without (of 1)",
            ])
    }

    @Test func withoutProfilesItSaysHowToGetThem() {
        var receiver = Self.receiver
        (receiver.identity, receiver.settings) = (nil, nil)
        #expect(SettingsTable.text([receiver], on: .pipe).contains("locationd.toml(5)"))
    }

    @Test(
        arguments: [
            ("identity", .unanswered, "it did not identify itself: nothing is set"),
            ("interval", .refused, "it refuses interval 0.2 s"),
            ("interval", .unanswered, "it did not answer when asked for its interval"),
            ("interval", .ignored, "it did not apply interval 0.2 s"),
            ("interval", .unsupported, "it has no setting for interval 0.2 s, or none that can be put back"),
            ("standby", .ignored, "it does not sleep"), ("time", .sent, nil), ("interval", .applied, nil),
        ] as [(String, ReceiverSettingReport.Outcome, String?)])
    func outcomesInWords(name: String, outcome: ReceiverSettingReport.Outcome, text: String?) {
        #expect(ReceiverText.problem(ReceiverSettingReport(name: name, wanted: "0.2 s", outcome: outcome)) == text)
    }

    @Test("Attack: a receiver's model writes into the terminal of an administrator.")
    func hostileModel() {
        var receiver = Self.receiver
        receiver.identity?.model = "\u{1B}[2JM10\u{202E}"
        let text = SettingsTable.text([receiver], on: .pipe)
        #expect(!text.unicodeScalars.contains("\u{1B}") && !text.unicodeScalars.contains("\u{202E}"))
    }

    @Test func theDoctorNamesEachSettingThatTheReceiverLacks() {
        var facts = DoctorSamples.healthy
        facts.service.receivers?[0].settings = Self.receiver.settings
        let text = Examination.findings(in: facts).text
        #expect(text.contains("it refuses model automotive") && text.contains("it does not sleep"), "\(text)")
    }
}
