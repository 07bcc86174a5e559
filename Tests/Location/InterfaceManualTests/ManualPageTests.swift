import Testing
import Varlink

@testable import interface_manual

/// The whole page for a small interface, and the parts of it that break easily.
@Suite struct ManualPageTests {
    private func page(_ text: String) throws -> String {
        ManualPage(of: try InterfaceDescription(parsing: text), date: "November 21, 2026").text
    }

    @Test func aPageHasTheCommentsAndTheDefinitions() throws {
        let page = try page(
            """
            # Tells the time. To everybody
            # who asks.
            #
            # In UTC.
            interface org.example.Clock

            # On the wall.
            type Face (hands, digits)

            # The time. face: as
            # it is shown.
            method Get(face: ?Face) -> (time: string)

            method Stop() -> ()

            # It stands still.
            error Stopped (since: int)
            """)
        #expect(
            page == #"""
                .\" Made from the interface's definition: do not edit.
                .Dd November 21, 2026
                .Dt ORG.EXAMPLE.CLOCK 7
                .Os locationd
                .Sh NAME
                .Nm org.example.Clock
                .Nd Tells the time
                .Sh DESCRIPTION
                This is a Varlink interface, at the Unix socket
                .Pa /run/locationd/org.example.Clock .
                Messages are JSON and end in a NUL byte; a method that needs
                .Ql more
                is called with that flag, and replies repeatedly.
                A type with a question mark before it may be absent.
                .Pp
                To everybody who asks.
                .Pp
                In UTC.
                .Sh METHODS
                .Ss Get
                .Bd -literal -offset indent
                method Get(face: ?Face) \-> (time: string)
                .Ed
                .Pp
                The time.
                face: as it is shown.
                .Ss Stop
                .Bd -literal -offset indent
                method Stop() \-> ()
                .Ed
                .Sh TYPES
                .Ss Face
                .Bd -literal -offset indent
                type Face (hands, digits)
                .Ed
                .Pp
                On the wall.
                .Sh ERROR REPLIES
                .Ss Stopped
                .Bd -literal -offset indent
                error Stopped (since: int)
                .Ed
                .Pp
                It stands still.
                .Sh SEE ALSO
                .Xr locationctl 1 ,
                .Xr locationd 8
                .Pp
                .Lk https://varlink.org Varlink

                """#)
    }

    /// Covers every type of the language, and a list that is too long for one line.
    @Test func definitionsAreThoseOfTheLanguage() throws {
        let definitions = [
            "method A(a: bool, b: int, c: float, d: string, e: object, f: any) -> ()",
            "method B(list: []?string, map: [string]int, kind: (one, two), pair: ?(x: float, y: float)) -> (result: [][]T)",
            "method C(argument: string) -> (aRatherLongName: string, another: string)",
            "type T (first: string)",
        ]
        let page = try page("interface org.example.Types\n" + definitions.joined(separator: "\n"))
        #expect(
            page.contains(
                """
                method A(
                  a: bool,
                  b: int,
                  c: float,
                  d: string,
                  e: object,
                  f: any
                ) \\-> ()

                """))
        #expect(
            page.contains(
                """
                method B(
                  list: []?string,
                  map: [string]int,
                  kind: (one, two),
                  pair: ?(x: float, y: float)
                ) \\-> (result: [][]T)

                """))
        #expect(
            page.contains(
                """
                method C(
                  argument: string
                ) \\-> (aRatherLongName: string, another: string)

                """))
        #expect(!page.contains(".Sh ERROR REPLIES"))
    }

    @Test(arguments: [
        ("a\\b", "a\\eb"), (".Sh trap", "\\&.Sh trap"), ("'br", "\\&'br"), ("two\nlines", "two lines"),
    ])
    func textIsNotARoffRequest(text: String, expected: String) {
        #expect(Roff.text(Roff.paragraphs(text)) == [expected])
    }

    @Test func aNumberEndsNoSentence() {
        let paragraphs = Roff.paragraphs("At least 0.5 m. Or\n(see there.) more\n\nNext")
        #expect(paragraphs == [["At least 0.5 m.", "Or (see there.)", "more"], ["Next"]])
    }
}
