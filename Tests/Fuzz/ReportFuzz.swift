import LogReport

/// Fuzzes the reading of logs, and the page about what was found.
func fuzzReport(_ bytes: [UInt8]) {
    guard let pages = CutInput(bytes)?.read(page) else { return }
    guard case .success(let html) = pages else { return }
    precondition(html.utf8.count < 5_000_000 && html.hasSuffix("</html>\n"))
}

private func page(_ pieces: [[UInt8]]) -> Result<String, LogReader.Failure> {
    Result { () throws(LogReader.Failure) in
        var reader = LogReader()
        for piece in pieces { try reader.read(piece.span) }
        try reader.finish()
        return ReportPage([ReportLog(reader, name: "fuzz")]).html
    }
}
