import LocationModel
import LocationProtocol
import Testing

@testable import LocationctlSupport

/// The line for tmux and the prompt of a shell.
@Suite struct StatusLineTests {
    private static let plain = TerminalCapabilities(hasColour: false)

    private func line(_ apps: [IndicatorEntry], _ capabilities: TerminalCapabilities = plain) -> String {
        StatusLine(apps, capabilities).text
    }

    private func use(_ name: String, active: Bool = true, background: Bool = false) -> IndicatorEntry {
        var use = DashboardSamples.use(
            DashboardSamples.maps, active: active, minutesAgo: 0, background: background)
        use.displayName = name
        return use
    }

    @Test func theLine() {
        #expect(line([]).isEmpty)
        #expect(line([use("Maps", active: false)]).isEmpty)
        #expect(line([use("Maps")]) == "● Maps")
        #expect(
            line([use("Maps"), use("Old", active: false), use("Tracker", background: true)])
                == "● Maps +1 (background)")
        #expect(line([use("Büro")], TerminalCapabilities(hasColour: false, hasUnicode: false)) == "* B?ro")
    }

    @Test func aLongNameIsShortened() {
        #expect(DisplayText.columns(line([use(String(repeating: "界", count: 500))])) <= 32)
    }

    /// Attack: an app has a name that tmux or a shell would run, with marks that hide its characters from a comparison
    /// of whole characters, or one that controls the terminal.
    @Test(arguments: [
        "#(curl evil)", "#[fg=red]", "#{pane_pid}", "%H", "$(id)", "`id`", "\\u@\\h", "!1", "${HOME}",
        "`\u{301}id`\u{301}",
        "$\u{301}(id)", "#\u{20DD}(id)", "\u{1B}[2J", "a\nb", "a\r\nb",
    ])
    func nothingIsExpanded(name: String) {
        for capabilities in [Self.plain, TerminalCapabilities(hasColour: false, hasUnicode: false)] {
            let text = line([use(name)], capabilities)
            #expect(text.hasPrefix(capabilities.hasUnicode ? "● " : "* "))
            #expect(!text.utf8.contains { "#%$`\\!{}".utf8.contains($0) || $0 < 0x20 || $0 == 0x7F }, "\(text)")
        }
    }
}
