import Publishing
import Testing

/// What a server's answer means.
@Suite struct AnswerRuleTests {
    private func isAccepted(_ rule: AnswerRule, _ body: String) -> Bool {
        rule.verdict(on: HTTPAnswer(status: 200, body: Array(body.utf8))) == .accepted
    }

    @Test(arguments: [
        // The recorder, Home Assistant and Dawarich; servers that answer nothing; a long answer that is cut off.
        ("[]", true), ("{}", true), (" \r\n[{\"_type\":\"location\"}]", true), ("", true),
        ("[{\"_type\":\"card\",\"fa", true),
        ("<html>", false), ("ok", false), ("\u{feff}<!DOCTYPE html>", false), ("\"[]\"", false), (" ", false),
    ]) func ofOwnTracks(body: String, accepted: Bool) {
        #expect(isAccepted(.json, body) == accepted)
    }

    @Test(arguments: [
        ("{\"result\":\"ok\"}", true), ("{\"result\" : \"ok\", \"trip\": {}}\n", true), ("", false), ("{}", false),
        ("{\"result\":\"OK\"}", false), ("{\"result\":true}", false), ("[\"ok\"]", false),
        ("{\"result\":\"ok\"", false),
        ("<html>", false), ("{\"error\":\"x\"}", false),
    ]) func ofOverland(body: String, accepted: Bool) {
        #expect(isAccepted(.resultOK, body) == accepted)
    }

    /// Attack: the network's login page says 200 to everything, and the reports are gone.
    @Test(arguments: [("", true), ("ok", true), ("{}", true), ("<html>", false), ("\r\n <!DOCTYPE html>", false)])
    func ofAnyServer(_ body: String, accepted: Bool) {
        #expect(isAccepted(.noPage, body) == accepted)
    }

    /// Each status has a meaning, whatever the format, and the text has nothing of the answer's body.
    @Test(arguments: [AnswerRule.noPage, .json, .resultOK]) func everyStatus(_ rule: AnswerRule) {
        for status in 0...1000 {
            let answer = HTTPAnswer(
                status: status, body: Array("47.25".utf8), retryAfter: 30, location: "http://x/47.25")
            switch (rule.verdict(on: answer), status) {
            case (.accepted, 200..<300): #expect(rule == .noPage)
            case (.unavailable(let text, nil), 200..<300): #expect(rule != .noPage && !text.contains("47."))
            case (.stopped(let text), 300..<400): #expect(text.contains("http://x ") && !text.contains("47."))
            case (.stopped(let text), 401), (.stopped(let text), 403), (.stopped(let text), 404),
                (.stopped(let text), 405), (.stopped(let text), 407), (.stopped(let text), 410):
                #expect(text.contains("(status \(status))"))
            case (.unavailable(_, 30), 408), (.unavailable(_, 30), 425), (.unavailable(_, 30), 429),
                (.serverError(_, 30), 500..<600):
                break
            case (.refused("status \(status)"), 400..<500): break
            case (.unavailable(_, nil), _): #expect(!(200..<600).contains(status))
            case (let verdict, _): Issue.record("\(status): \(verdict)")
            }
        }
    }

    @Test(
        arguments: [
            (nil, "elsewhere"), ("", "elsewhere"),
            ("https://other.example:8443/x?secret", "to https://other.example:8443 "),
            ("file:///etc/passwd", "to file:// "), ("http://a\r\nforged line", "to http://a "),
            ("http://\u{1b}[2J", "to http:// "), ("x", "to x "),
        ] as [(String?, String)]) func redirections(location: String?, words: String)
    {
        let verdict = AnswerRule.noPage.verdict(on: HTTPAnswer(status: 302, location: location))
        guard case .stopped(let text) = verdict else { return #expect(verdict == .accepted) }
        #expect(text.contains("the server redirects \(words)"), "\(text)")
    }

    @Test(
        arguments: [(nil, nil), (-5, 0), (0, 0), (120, 120), (3600, 3600), (3601, 3600), (Int.max, 3600)]
            as [(Int?, Int?)])
    func pauses(asked: Int?, kept: Int?) {
        let verdict = AnswerRule.noPage.verdict(on: HTTPAnswer(status: 503, retryAfter: asked))
        #expect(verdict == .serverError("the server fails with status 503", pauseSeconds: kept))
    }
}
