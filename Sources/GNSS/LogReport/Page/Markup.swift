internal import ForeignText
internal import LocationModel

/// Pieces of HTML.
enum Markup {
    /// Returns text from outside for use in the page.
    ///
    /// Attack: a log is named `<script>`, or a device in it reports such a name, to attack the reader of the report.
    static func escaped(_ text: String) -> String {
        ForeignText.escapedForMarkup(ForeignText.line(text))
    }

    /// Returns JSON as the content of a `script` element. The JSON cannot end the element.
    static func data(_ json: String, attributes: String) -> String {
        let text = ForeignText.escapedInJSON(json).split(separator: "<", omittingEmptySubsequences: false).joined(
            separator: "\\u003c")
        return "<script type=\"application/json\" \(attributes)>\(text)</script>\n"
    }

    /// Returns a table with a heading, a sentence about its content, the definition of its subject, and rows of cells,
    /// or an empty text without rows. Cells are HTML.
    static func table(
        _ heading: String, _ sentence: String, definition: String? = nil, columns: [String], rows: [[String]],
        isWide: Bool = false
    ) -> String {
        guard !rows.isEmpty else { return "" }
        var html = "<div class=\"table\(isWide ? " wide" : "")\"><h3>\(heading)</h3>\n"
        if !sentence.isEmpty { html += "<p class=\"rule\">\(sentence)</p>\n" }
        html += "<div class=\"scroll\"><table><thead><tr>"
        for column in columns { html += "<th scope=\"col\">\(column)</th>" }
        html += "</tr></thead><tbody>\n"
        for row in rows { html += "<tr>" + row.map(cell).joined() + "</tr>\n" }
        return html + "</tbody></table></div>\(definition.map { details("Definition", [$0]) } ?? "")</div>\n"
    }

    /// Returns a cell. Long text may be broken into lines.
    private static func cell(_ html: String) -> String {
        "<td\(!html.hasPrefix("<") && html.utf8.count > 40 ? " class=\"text\"" : "")>\(html)</td>"
    }

    /// Returns paragraphs that are shown on request, or an empty text without paragraphs.
    static func details(_ summary: String, _ paragraphs: [String]) -> String {
        guard !paragraphs.isEmpty else { return "" }
        let text = paragraphs.map { "<p class=\"rule\">\($0)</p>" }.joined()
        return "<details><summary>\(summary)</summary>\(text)</details>"
    }

    /// Returns a percentage for CSS.
    static func percent(_ share: Double) -> String {
        let hundredths = Int((share * 10_000).rounded())
        return "\(hundredths < 0 ? "-" : "")\(abs(hundredths / 100)).\(abs(hundredths % 100).padded(to: 2))%"
    }
}
