import AuthorizationPolicy
import LocationModel
import Testing

/// Every event in every state of an app.
///
/// A cell describes the app after the event:
/// - prefix: `X` restricted by the administrator, `S` location services off,
/// - the stored decision: `N` none, `D` denied, `W` while in use, `K` while in use and kept when the app requested
///   always, `O` once, `U` until tomorrow, `P` provisional always, `A` always,
/// - `r` reduced accuracy, `t` reduced but temporarily full,
/// - `3` prompts suppressed after three dismissals,
/// - the open prompt: `?w` while in use, `?a` always, `?u` always instead of while in use, `?k` the second prompt
///   after a provisional always, `?t` temporary full accuracy,
/// - `+` for each request that was answered, `!` for each that was refused (PromptDeclined).
///
/// `-` means that the event is not possible in this state and changes nothing.
@Suite struct StateWalkTests {
    /// The events, in the order of the columns.
    enum Event: CaseIterable {
        case requestWhenInUse, requestAlways, requestFullAccuracy, background
        case deny, once, whileUsing, untilTomorrow, always, dismiss
        case grantWhenInUse, grantAlways, forbid, reset
        case servicesOff, servicesOn, restrict, unrestrict
        case tenSecondsGone, midnight, cancel
        case setFull, setReduced, keepWhileInUse, revoke, allInBackground
    }

    // Columns: bg, a delivery is due in the background; answered: no, once, while using, until midnight, always,
    // dismissed; gone, for ten seconds; accuracy set to full or reduced, kept while in use, and revoked, each seeing the
    // present decision; bg all, every process is in the background. The first word of a row is the state, which
    // `scene(in:)` sets up. An answer in a state without a prompt answers none.
    static let table = """
             request for           answered                    decided      services   restrict   leaving, time     accuracy   use rev. bg
             W     A    full bg    no  1x  use 0:00 alw. dis.  W  A  D  N   off  on    yes  no    gone 0:00 cancel  full  red. W   D    all
        N    N?w   N?a  N!   N     -   -   -   -    -    -     W  A  D  N   SN   N     XN   N     N    N    N       -     -     -     -   N
        D    D+    D+   D!   D     -   -   -   -    -    -     W  A  D  N   SD   D     XD   D     D    D    D       -     -     -     -   D
        W    W+    W?u  W!   W     -   -   -   -    -    -     W  A  D  N   SW   W     XW   W     W    W    W       W     Wr    K     D   W
        K    K+    K+   K!   K     -   -   -   -    -    -     W  A  D  N   SK   K     XK   K     K    K    K       K     Kr    K     D   K
        O    O+    O+   O!   O     -   -   -   -    -    -     W  A  D  N   SO   O     XO   O     N    O    O       O     Or    O     D   O
        U    U+    U+   U!   U     -   -   -   -    -    -     W  A  D  N   SU   U     XU   U     U    N    U       U     Ur    U     D   U
        P    P+    P+   P!   P?k   -   -   -   -    -    -     W  A  D  N   SP   P     XP   P     P    P    P       P     Pr    K     D   P
        A    A+    A+   A!   A     -   -   -   -    -    -     W  A  D  N   SA   A     XA   A     A    A    A       A     Ar    K     D   A
        Wr   Wr+   Wr?u Wr?t Wr    -   -   -   -    -    -     W  A  D  N   SWr  Wr    XWr  Wr    Wr   Wr   Wr      W     Wr    Kr    D   Wr
        Wt   Wt+   Wt?u Wt!  Wt    -   -   -   -    -    -     W  A  D  N   SWt  Wt    XWt  Wt    Wr   Wt   Wt      W     Wr    Kt    D   Wr
        XA   XA+   XA+  XA!  XA    -   -   -   -    -    -     -  -  XD XN  XSA  XA    XA   A     XA   XA   XA      -     XAr   XK    XD  XA
        SW   SW+   SW+  SW!  SW    -   -   -   -    -    -     SW SA SD SN  SW   W     XSW  SW    SW   SW   SW      SW    SWr   SK    SD  SW
        N3   N3!   N3!  N3!  N3    -   -   -   -    -    -     W  A  D  N   SN3  N3    XN3  N3    N3   N    N3      -     -     -     -   N3
        N?w  N?w   N?w  N?w! N?w   D+  O+  W+  U+   -    N+    W+ A+ D+ N+  SN+  N?w   XN+  N?w   N    N?w  N?w     -     -     -     -   N?w
        N?a  N?a   N?a  N?a! N?a   D+  O+  P+  U+   A+   N+    W+ A+ D+ N+  SN+  N?a   XN+  N?a   N    N?a  N?a     -     -     -     -   N?a
        W?u  W?u+  W?u  W?u! W?u   -   -   K+  -    A+   W+    W+ A+ D+ N+  SW+  W?u   XW+  W?u   W    W?u  W?u     W?u   Wr?u  K+    D+  W?u
        P?k  P?k+  P?k+ P?k! P?k   -   -   K   -    A    P     W  A  D  N   SP   P?k   XP   P?k   P?k  P?k  P?k     P?k   Pr?k  K     D   P?k
        Wr?t Wr?t+ Wr?t Wr?t Wr?t  Wr+ Wt+ -   -    -    Wr+   W+ A+ D+ N+  SWr+ Wr?t  XWr+ Wr?t  Wr   Wr?t Wr?t    W+    Wr?t  Kr?t  D+  Wr?t
        """

    static let rows = table.split(separator: "\n").dropFirst(2).map { line in
        line.split(separator: " ").map(String.init)
    }

    @Test func theTableIsWhole() {
        #expect(Self.rows.count == 18)
        #expect(Self.rows.allSatisfy { $0.count == Event.allCases.count + 1 })
    }

    @Test(arguments: rows)
    func everyEventInEveryState(row: [String]) throws {
        for (event, expected) in zip(Event.allCases, row.dropFirst()) {
            var scene = try scene(in: row[0])
            #expect(code(scene) == row[0])
            let before = scene
            let isPossible = try apply(event, to: &scene)
            #expect(isPossible == (expected != "-"), "\(row[0]), \(event)")
            #expect(code(scene) == (isPossible ? expected : code(before)), "\(row[0]), \(event)")
        }
    }

    private func scene(in state: String) throws -> Scene {
        let decisions: [Character: Decision] = [
            "D": .denied, "W": Decision(level: .whenInUse),
            "K": Decision(level: .whenInUse, alwaysPromptSpent: true),
            "O": Decision(level: .whenInUse, lifetime: .once),
            "U": Decision(level: .whenInUse, lifetime: .until(secondsSince1970: Scene.midnight)),
            "P": Decision(level: .provisionalAlways), "A": Decision(level: .always),
        ]
        var decision = state.first(where: { "NDWKOUPA".contains($0) }).flatMap { decisions[$0] }
        if state.contains("r") || state.hasPrefix("Wt") { decision?.accuracy = .reduced }
        var scene = Scene(decision.map { [.maps: $0] } ?? [:])
        if state.contains("X") { scene.restrict([Restriction(app: .maps)]) }
        if state.contains("S") { scene.setServices(false) }
        if state.hasPrefix("Wt") {
            scene.requestFull()
            try scene.answer(.once)
        }
        if state.contains("3") {
            for _ in 1...3 {
                scene.request(.whenInUse)
                try scene.answer(.dismiss)
            }
        }
        switch state.split(separator: "?").dropFirst().first {
        case "w": scene.request(.whenInUse)
        case "a", "u": scene.request(.always)
        case "k": scene.promptAgain()
        case "t": scene.requestFull()
        default: break
        }
        scene.replies = [:]
        return scene
    }

    /// Applies `event`. Returns whether it was possible.
    private func apply(_ event: Event, to scene: inout Scene) throws -> Bool {
        do {
            switch event {
            case .requestWhenInUse: scene.request(.whenInUse)
            case .requestAlways: scene.request(.always)
            case .requestFullAccuracy: scene.requestFull()
            case .background: if scene.delivery(.background) == .promptAgain { scene.promptAgain() }
            case .deny: try scene.answer(.deny)
            case .once: try scene.answer(.once)
            case .whileUsing: try scene.answer(.whileUsing)
            case .untilTomorrow: try scene.answer(.untilTomorrow)
            case .always: try scene.answer(.always)
            case .dismiss: try scene.answer(.dismiss)
            case .grantWhenInUse: try scene.decide(Decision(level: .whenInUse))
            case .grantAlways: try scene.decide(Decision(level: .always))
            case .forbid: try scene.decide(.denied)
            case .reset: try scene.decide(nil)
            case .servicesOff: scene.setServices(false)
            case .servicesOn: scene.setServices(true)
            case .restrict: scene.restrict([Restriction(app: .maps)])
            case .unrestrict: scene.restrict([])
            case .tenSecondsGone:
                scene.disconnect()
                scene.advance(by: 10)
            case .midnight: scene.advance(by: Scene.midnight - scene.now)
            case .cancel: scene.cancel(1)
            case .setFull: try scene.setAccuracy(.full)
            case .setReduced: try scene.setAccuracy(.reduced)
            case .keepWhileInUse: try scene.keepWhileInUse()
            case .revoke: try scene.revoke()
            case .allInBackground: scene.run(scene.machine.wentToBackground(.maps, at: scene.now))
            }
            return true
        } catch is AnswerRefusal {
            return false
        } catch is DecisionRefusal {
            return false
        }
    }

    private func code(_ scene: Scene) -> String {
        let table = scene.machine.table
        let decision = table.decision(about: .maps)
        var code = table.isRestricted(.maps) ? "X" : ""
        if !table.servicesEnabled(for: 1000) { code += "S" }
        switch (decision?.level, decision?.lifetime) {
        case (nil, _): code += "N"
        case (.denied, _): code += "D"
        case (.whenInUse, .once): code += "O"
        case (.whenInUse, .until): code += "U"
        case (.whenInUse, _): code += decision?.alwaysPromptSpent == true ? "K" : "W"
        case (.provisionalAlways, _): code += "P"
        case (.always, _): code += "A"
        }
        if decision?.accuracy == .reduced { code += table.hasTemporaryFullAccuracy(.maps) ? "t" : "r" }
        if isLeftInPeace(scene) { code += "3" }
        switch scene.prompt()?.subject {
        case nil: break
        case .whenInUse: code += "?w"
        case .always: code += "?a"
        case .alwaysInsteadOfWhenInUse: code += "?u"
        case .keepAlways: code += "?k"
        case .temporaryFullAccuracy: code += "?t"
        }
        for reply in scene.replies.sorted(by: { $0.key < $1.key }).map(\.value) {
            code += reply == .refusal(.promptDeclined) ? "!" : "+"
        }
        return code
    }

    /// Returns whether a request would be refused because prompts are suppressed. Tries it on a copy without
    /// restrictions.
    private func isLeftInPeace(_ scene: Scene) -> Bool {
        guard scene.machine.table.decision(about: .maps) == nil, scene.prompt() == nil else { return false }
        var copy = scene
        copy.restrict([])
        copy.setServices(true)
        copy.request(.whenInUse)
        return copy.lastReply == .refusal(.promptDeclined)
    }
}
