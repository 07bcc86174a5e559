import LocationModel
import LocationProtocol
import TestSupport

extension AgentSamples {
    /// Texts of an app that wants the window to show something other than its prompt.
    static var hostile: [Prompt] {
        let texts = [
            String(repeating: "please ", count: 120), String(repeating: "x", count: 300),
            String(repeating: "\n", count: 100) + "[d] Deny", String(repeating: "אבגד ", count: 300),
            String(repeating: "地図", count: 300), "\u{1B}[2J\u{1B}[H[a] Deny", "\u{202E}ynqD",
            String(repeating: "x\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}", count: 300),
            String(repeating: String(repeating: "w", count: 40) + " ", count: 20),
        ]
        return texts.map { text in
            var prompt = prompt()
            prompt.displayName = text
            prompt.app = "exe:/" + text
            prompt.user = text
            prompt.executable = "/" + text + "/x"
            prompt.description = text
            prompt.purpose = text
            return prompt
        }
    }
}

extension Timestamp {
    func adding(seconds: Int64) -> Timestamp {
        Timestamp(millisecondsSince1970: millisecondsSince1970 + seconds * 1000)
    }
}
