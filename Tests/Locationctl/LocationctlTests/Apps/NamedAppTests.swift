import AuthorizationPolicy
import LocationModel
import LocationProtocol
import PeerIdentity
import Testing

@testable import LocationctlSupport

/// The apps that names on the command line mean.
@Suite struct NamedAppTests {
    private func app(_ name: String, connections: Int = 0) throws -> AppSummary {
        var summary = AppSummary(
            key: AppKey(uid: 1000, app: try #require(AppIdentity(name))),
            authorization: Authorization(status: .denied, accuracy: .full, servicesEnabled: true))
        summary.connections = connections
        return summary
    }

    private func named(
        _ text: String, for purpose: NamedApp.Purpose = .decision, known: [AppSummary] = [], _ file: ProgramFile
    ) throws(Failure) -> NamedApp {
        try NamedApp(text, for: purpose, known: known) { _ in file }
    }

    private let python = ProgramFile.program(path: "/usr/bin/python3.11", isExecutable: true)

    @Test(arguments: [NamedApp.Purpose.decision, .kept])
    func aLinkIsTheProgramThatItLeadsTo(purpose: NamedApp.Purpose) throws {
        let named = try named("exe:/usr/bin/python3", for: purpose, python)
        #expect(named.identity == "exe:/usr/bin/python3.11")
        #expect(named.typed == "/usr/bin/python3")
        #expect(named.remark == nil)
        #expect(try self.named("exe:/usr/bin/python3.11", for: purpose, python).typed == nil)
    }

    /// A name that `locationctl apps` shows is matched byte by byte.
    @Test func whatIsKeptIsFoundByItsName() throws {
        for name in ["exe:/usr/bin/python3", "exe:/usr//bin/foo", "exe:/gone (deleted)", "service:x.service"] {
            for file in [python, .folder, .missing(lookalike: nil), .script(path: "/x", interpreter: nil)] {
                let named = try named(name, for: .kept, known: [try app(name)], file)
                #expect(named.identity == name)
                #expect(named.remark == nil)
            }
        }
        let both = [try app("exe:/usr/bin/python3"), try app("exe:/usr/bin/python3.11")]
        let named = try named("exe:/usr/bin/python3", for: .kept, known: both, python)
        #expect(named.identity == "exe:/usr/bin/python3")
        #expect(named.remark?.contains("exe:/usr/bin/python3.11") == true)
    }

    /// An old decision about a link does not keep the program from being denied.
    @Test func aDecisionIsAboutWhatRuns() throws {
        let old = [try app("exe:/usr/bin/python3")]
        #expect(try named("exe:/usr/bin/python3", known: old, python).identity == "exe:/usr/bin/python3.11")
        // The program was replaced by a link, and still runs.
        let running = [try app("exe:/usr/bin/python3", connections: 1)]
        #expect(try named("exe:/usr/bin/python3", known: running, python).identity == "exe:/usr/bin/python3")
    }

    @Test(
        arguments: [
            ("exe:/usr/bin/ldd", .script(path: "/usr/bin/ldd", interpreter: "/usr/bin/bash"), "exe:/usr/bin/bash"),
            ("exe:/usr/bin/ldd", .script(path: "/usr/bin/ldd", interpreter: nil), "script"),
            ("exe:/usr/bin", .folder, "folder"), ("exe:/dev/null", .special, "not a file that can be run"),
            ("exe:/opt/foo ", .missing(lookalike: "/opt/foo"), "exe:/opt/foo,"),
            ("exe:/opt/caf\u{E9}", .missing(lookalike: "/opt/cafe\u{301}"), "other bytes"),
            ("exe:/opt/foo*", .missing(lookalike: nil), "patterns"),
            ("exe:/nope//foo", .missing(lookalike: nil), "//"), ("exe:/nope/../foo", .missing(lookalike: nil), ".."),
            ("exe:/nope (deleted)", .missing(lookalike: nil), "(deleted)"),
            ("service:x.service", .folder, ".service"), ("app:x.desktop", .folder, ".desktop"),
            ("flatpak:*", .folder, "patterns"),
        ] as [(String, ProgramFile, String)])
    func whatNeverMatchesIsRefused(text: String, file: ProgramFile, reason: String) {
        for purpose in [NamedApp.Purpose.decision, .kept] {
            do throws(Failure) {
                let named = try named(text, for: purpose, file)
                Issue.record("\(named)")
            } catch {
                #expect(error.message.contains(reason), "\(error.message)")
                #expect(error.message.contains("nothing was changed"))
            }
        }
    }

    /// A decision about a missing program is possible, with a remark.
    @Test(
        arguments: [
            ("exe:/opt/foo", .missing(lookalike: nil)), ("exe:/opt/foo", .unreadable(reason: "Permission denied")),
            ("exe:/opt/foo", .program(path: "/opt/foo", isExecutable: false)), ("service:chrony", .folder),
            ("flatpak:org.gnome.Maps", .folder),
        ] as [(String, ProgramFile)])
    func aDecisionAheadOfTheAppHasARemark(text: String, file: ProgramFile) throws {
        let named = try named(text, file)
        #expect(named.identity == text)
        #expect(named.remark != nil)
        #expect(try self.named(text, known: [try app(text, connections: 1)], file).remark == nil)
    }

    /// The daemon explains the allowed forms.
    @Test func aTextThatIsNotAnAppIsPassedOn() throws {
        for text in ["foo", "", "exe:foo", "/usr/bin/foo"] {
            let named = try named(text, .folder)
            #expect(named.identity == text)
            #expect(named.typed == nil && named.remark == nil)
        }
    }
}
