import LocationModel
import LocationProtocol
import TestSupport
import Testing

@testable import LocationctlSupport
@testable import TerminalScreens

/// The output to the terminal when the screen changes.
@Suite struct ScreenUpdateTests {
    private static let plain = ScreenUpdate(capabilities: TerminalCapabilities(hasColour: false))
    private static let colour = ScreenUpdate(capabilities: TerminalCapabilities())

    private static func rows(_ texts: String...) -> [TextRow] { texts.map { TextRow($0) } }

    @Test func onlyTheCellsThatHaveChangedAreWritten() {
        let old = Self.rows("one", "two 12:34 and a long rest of it", "three")
        #expect(Self.plain.text(old, over: old).isEmpty)
        let new = Self.rows("one", "two 12:35 and a long rest of me", "three")
        #expect(Self.plain.text(new, over: old) == "\u{1B}[2;9H5\u{1B}[2;30Hme")
        #expect(Self.plain.text(Self.rows("one", "two", "three"), over: old) == "\u{1B}[2;4H\u{1B}[K")
        #expect(
            Self.plain.text(Self.rows("on", "two", "3"), over: Self.rows("one", "two", "three"))
                == "\u{1B}[1;3H\u{1B}[K\u{1B}[3;1H3\u{1B}[K")
        #expect(Self.plain.text(Self.rows("one"), over: old) == "\u{1B}[1;1Hone\u{1B}[K\u{1B}[J")
        #expect(Self.plain.text(Self.rows("one"), over: nil) == "\u{1B}[1;1Hone\u{1B}[K\u{1B}[J")
    }

    @Test func emphasisIsAChange() {
        let update = Self.colour.text([TextRow("one", .selected)], over: [TextRow("one")])
        #expect(update == "\u{1B}[1;1H\u{1B}[7mone\u{1B}[0m")
        #expect(Self.plain.text([TextRow("one", .selected)], over: [TextRow("one")]).isEmpty)
    }

    /// Terminals differ in the width of such characters: a row with them is written from its beginning.
    @Test(arguments: ["地图 1", "e\u{301} 1", "\u{1F5FA} 1", "خرائط 1"])
    func aRowOfUncertainWidthIsWrittenAsAWhole(text: String) {
        let new = String(text.dropLast()) + "2"
        #expect(Self.plain.text([TextRow(new)], over: [TextRow(text)]) == "\u{1B}[1;1H\(new)\u{1B}[K")
    }

    /// After any change the terminal shows the new screen.
    @Test func aTerminalShowsWhatIsMeant() {
        var random = SeededRandom(seed: 7)
        let styles: [TextRow.Style] = [.plain, .title, .hint, .good, .selected, .satellite(.gps, isUsed: true)]
        func row() -> TextRow {
            (0..<Int.random(in: 0...6, using: &random)).reduce(into: TextRow()) { row, _ in
                let text = ["a", "bb", "  ", "─●▅", "12.5 m", "        "].randomElement(using: &random)!
                row.append(text, styles.randomElement(using: &random)!)
            }
        }
        var terminal = ScreenEmulator(columns: 60, rows: 4)
        var shown: [TextRow]?
        for step in 0..<2000 {
            let next = (0..<4).map { index in Bool.random(using: &random) ? row() : shown?[index] ?? row() }
            terminal.write(Self.colour.text(next, over: shown))
            shown = next
            var fresh = ScreenEmulator(columns: 60, rows: 4)
            fresh.write(Self.colour.text(next, over: nil))
            func visible(_ screen: ScreenEmulator) -> [[ScreenEmulator.Cell]] {
                // A blank looks the same in all styles except reversed.
                screen.cells.map { $0.map { $0.character == " " && $0.rendition != "7" ? ScreenEmulator.Cell() : $0 } }
            }
            guard visible(terminal) == visible(fresh) else {
                Issue.record("step \(step)")
                return
            }
        }
    }

    /// A receiver of 1 Hz at 80x24 takes less than a serial console of 9600 baud carries.
    @Test(arguments: [TerminalCapabilities(), TerminalCapabilities(isLinuxConsole: true)])
    func aSecondTakesFewBytes(capabilities: TerminalCapabilities) {
        var state = DashboardSamples.state()
        var receivers = DashboardSamples.receivers
        let update = ScreenUpdate(capabilities: capabilities)
        func screen(_ second: Int) -> [TextRow] {
            DashboardSamples.screen(state, capabilities, at: Double(second)).rows
        }
        var (shown, written) = (screen(300), [Int]())
        for second in 300..<360 {
            receivers[0].fixes = second
            let location = Update(event: .location, location: DashboardSamples.location(second))
            for event in [.update(location), .receivers(receivers)] as [DashboardEvent] {
                _ = state.received(event, at: Double(second))
            }
            let next = screen(second)
            written.append(update.text(next, over: shown).utf8.count)
            shown = next
        }
        #expect(written.max()! < 960 && written.reduce(0, +) < 60 * 300, "\(written)")
    }
}
