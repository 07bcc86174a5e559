import Testing

@testable import LocationctlCommands

/// The text of metrics in both formats.
@Suite struct MetricsTextTests {
    private var families: [MetricFamily] {
        var fixes = MetricFamily("locationd_receiver_fixes", .counter, "Fixes of the receiver.")
        fixes.add(3, ["receiver": "gps"])
        fixes.add(4_000_000_000, ["receiver": "other"])
        var age = MetricFamily("locationd_receiver_fix_age_seconds", .gauge, "The time since the last fix.")
        age.add(0.25, ["receiver": "gps"])
        var up = MetricFamily("locationd_up", .gauge, "Whether locationd answers.")
        up.add(1)
        return [fixes, age, up, MetricFamily("locationd_empty", .gauge, "Nothing.")]
    }

    @Test func openMetrics() {
        #expect(
            MetricsText.openmetrics.text(families) == """
                # TYPE locationd_receiver_fixes counter
                # HELP locationd_receiver_fixes Fixes of the receiver.
                locationd_receiver_fixes_total{receiver="gps"} 3
                locationd_receiver_fixes_total{receiver="other"} 4000000000
                # TYPE locationd_receiver_fix_age_seconds gauge
                # UNIT locationd_receiver_fix_age_seconds seconds
                # HELP locationd_receiver_fix_age_seconds The time since the last fix.
                locationd_receiver_fix_age_seconds{receiver="gps"} 0.25
                # TYPE locationd_up gauge
                # HELP locationd_up Whether locationd answers.
                locationd_up 1
                # EOF

                """)
    }

    @Test func prometheus() {
        #expect(
            MetricsText.prometheus.text(families) == """
                # TYPE locationd_receiver_fixes_total counter
                # HELP locationd_receiver_fixes_total Fixes of the receiver.
                locationd_receiver_fixes_total{receiver="gps"} 3
                locationd_receiver_fixes_total{receiver="other"} 4000000000
                # TYPE locationd_receiver_fix_age_seconds gauge
                # HELP locationd_receiver_fix_age_seconds The time since the last fix.
                locationd_receiver_fix_age_seconds{receiver="gps"} 0.25
                # TYPE locationd_up gauge
                # HELP locationd_up Whether locationd answers.
                locationd_up 1

                """)
    }

    @Test(arguments: [
        ("exe:/usr/bin/maps", "exe:/usr/bin/maps"),
        ("", ""),
        (#"a"b"#, #"a\"b"#),
        (#"a\b"#, #"a\\b"#),
        (#"a\"#, #"a\\"#),
        (#"a\n"#, #"a\\n"#),
        ("a\nlocationd_up 0\n", #"a\nlocationd_up 0\n"#),
        ("a\r\nb", "a\u{FFFD}\\nb"),
        ("\u{1B}[2J\u{202E}\u{2028}", "\u{FFFD}[2J\u{FFFD}\u{FFFD}"),
        // A quotation mark and a line feed are escaped even with a combining mark.
        ("\"\u{301}", "\\\"\u{301}"),
        ("\n\u{301}", "\\n\u{301}"),
        ("Ω 日本", "Ω 日本"),
    ])
    func theValueOfALabel(text: String, expected: String) {
        #expect(Array(MetricsText.escaped(text).unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test func theValueOfALabelIsBounded() {
        let value = MetricsText.escaped("exe:/" + String(repeating: "Ω", count: 2000))
        #expect(value.utf8.count <= 512 && value.hasPrefix("exe:/Ω") && value.contains("…"))
    }

    /// Attack: two apps whose names are written in the same way make the whole file unreadable.
    @Test func samplesWithTheSameLabelsAreAddedUp() {
        var family = MetricFamily("locationd_app_deliveries", .gauge, "Deliveries.")
        family.add(1, ["app": "exe:/\u{202E}"])
        family.add(2, ["app": "exe:/\u{2066}"])
        family.add(4, ["app": "exe:/x"])
        #expect(family.samples.map(\.value) == [3, 4])
        #expect(MetricsText.openmetrics.text([family]).contains("{app=\"exe:/\u{FFFD}\"} 3\n"))
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, nil])
    func whatIsNoNumberIsLeftOut(value: Double?) {
        var family = MetricFamily("locationd_x", .gauge, "X.")
        family.add(value)
        #expect(MetricsText.openmetrics.text([family]) == "# EOF\n")
    }
}
