import AuthorizationPolicy
import Foundation
import LocationModel
import ServiceSupport
import TestSupport
import Testing

@testable import LocationctlCommands
@testable import LocationctlSupport

/// The conversion of an app's Info.plist.
@Suite struct InfoPropertyListTests {
    private static let complete: [String: any Sendable] = [
        "CFBundleName": "maps", "CFBundleDisplayName": "Maps", "CFBundleIdentifier": "com.example.Maps",
        "CFBundleDevelopmentRegion": "en", "NSLocationWhenInUseUsageDescription": "Shows \"you\" in C:\\.",
        "NSLocationAlwaysAndWhenInUseUsageDescription": "Records hikes.",
        "NSLocationAlwaysUsageDescription": "Records.", "NSLocationUsageDescription": "Old.",
        "NSLocationTemporaryUsageDescriptionDictionary": ["navigation": "Turns.", "com.example.rescue": "Rescue."],
        "NSLocationDefaultAccuracyReduced": true, "UIBackgroundModes": ["audio", "location"],
        "UILaunchStoryboardName": "Main", "NSAppTransportSecurity": ["NSAllowsArbitraryLoads": false],
    ]

    private func data(_ list: [String: Any], _ format: PropertyListSerialization.PropertyListFormat = .xml) throws
        -> Data
    {
        try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
    }

    private func convert(_ list: [String: Any], _ strings: [String: String] = [:]) throws -> ConvertedManifest {
        let decoder = PropertyListDecoder()
        return try ConvertedManifest(
            decoder.decode(InfoPropertyList.self, from: data(list)),
            languages: strings.mapValues { try decoder.decode(InfoStrings.self, from: Data($0.utf8)) })
    }

    /// Returns the manifest for these keys, with a usage description that every app has.
    private func manifest(_ keys: [String: Any]) throws -> AppManifest {
        try convert(keys.merging(["NSLocationWhenInUseUsageDescription": "w"]) { old, _ in old }).manifest
    }

    private func problems(_ list: [String: Any], _ strings: [String: String] = [:]) throws -> [String] {
        do {
            _ = try convert(list, strings)
        } catch let problems as ConvertedManifest.Problems {
            return problems.lines
        }
        return []
    }

    @Test func everyKey() throws {
        let converted = try convert(Self.complete)
        #expect(
            try converted.manifest
                == AppManifest(
                    displayName: "Maps", whenInUse: LocalizedText("Shows \"you\" in C:\\."),
                    always: LocalizedText("Records hikes."),
                    temporaryFullAccuracy: [
                        "navigation": LocalizedText("Turns."), "com.example.rescue": LocalizedText("Rescue."),
                    ],
                    defaultAccuracy: .reduced, background: true))
        #expect(converted.app == AppIdentity("app:com.example.Maps"))
        #expect(converted.notes.isEmpty)
    }

    @Test func olderKeysCountWhereNothingNewerIs() throws {
        let any = try convert(["NSLocationUsageDescription": "old"]).manifest
        #expect(any.whenInUse?.plain == "old")
        #expect(any.always?.plain == "old")
        let always = try convert(["NSLocationUsageDescription": "old", "NSLocationAlwaysUsageDescription": "older"])
        #expect(always.manifest.whenInUse == nil)
        #expect(always.manifest.always?.plain == "older")
        let whenInUse = try manifest(["NSLocationUsageDescription": "old"])
        #expect(whenInUse.whenInUse?.plain == "w")
        #expect(whenInUse.always == nil)
    }

    @Test func whatIsNotDeclaredIsNotAllowedInTheBackground() throws {
        for list in [[:], ["UIBackgroundModes": ["audio"]], ["UIBackgroundModes": [String]()]] as [[String: Any]] {
            #expect(try manifest(list).background == false)
        }
        #expect(try manifest(["UIBackgroundModes": ["location"]]).background == true)
        #expect(try manifest(["NSLocationDefaultAccuracyReduced": false]).defaultAccuracy == .full)
    }

    @Test func unreplacedBuildVariablesAreIgnored() throws {
        let name = try manifest(["CFBundleDisplayName": "$(PRODUCT_NAME)", "CFBundleName": "maps"])
        #expect(name.displayName == "maps")
        let converted = try convert([
            "NSLocationWhenInUseUsageDescription": "w", "CFBundleName": "${PRODUCT_NAME}",
            "CFBundleIdentifier": "$(PRODUCT_BUNDLE_IDENTIFIER)",
        ])
        #expect(converted.manifest.displayName == nil)
        #expect(converted.app == nil)
        #expect(converted.notes.contains { $0.contains("display-name") })
    }

    @Test func languages() throws {
        let converted = try convert(
            Self.complete,
            [
                "de": """
                /* of the app */ "NSLocationAlwaysAndWhenInUseUsageDescription" = "Zeichnet \\"auf\\".";
                NSLocationTemporaryUsageDescriptionDictionary = { navigation = "Abbiegen."; };
                CFBundleName = "Karten"; // not the location's
                """,
                "pt_BR": "\"com.example.rescue\" = \"Resgate.\";",
            ])
        let manifest = converted.manifest
        #expect(manifest.whenInUse?.languages == [:])
        // A user who reads English first and German second gets the plain text, which is English.
        #expect(manifest.always?.languages == ["de": "Zeichnet \"auf\".", "en": "Records hikes."])
        #expect(manifest.always?.text(for: ["en_GB.UTF-8", "de"]) == "Records hikes.")
        #expect(manifest.temporaryFullAccuracy["navigation"]?.languages == ["de": "Abbiegen.", "en": "Turns."])
        #expect(
            manifest.temporaryFullAccuracy["com.example.rescue"]?.languages == ["pt-br": "Resgate.", "en": "Rescue."])
    }

    @Test func theDaemonReadsTheSameManifest() throws {
        for list in [Self.complete, ["NSLocationUsageDescription": "é\u{200E} \" \\ \\u0041 # = [x] ''' 地"]] {
            for strings in [[:], ["de": "NSLocationUsageDescription = \"\\\"\\\\\"; navigation = \"#\";"]] {
                let manifest = try convert(list, strings).manifest
                let read = try TOMLText(manifest.toml, file: "x").decode(AppManifest.self, allowed: [])
                #expect(read == manifest, "\(manifest.toml)")
            }
        }
    }

    /// Generates texts and keys that are hard to quote.
    @Test func theDaemonReadsTheSameManifestWhateverIsInIt() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        for _ in 0..<300 {
            func text() throws -> LocalizedText {
                try LocalizedText(random.word(), languages: random.isHeads() ? [:] : ["de": random.word()])
            }
            let manifest = try AppManifest(
                displayName: random.word(), whenInUse: text(), always: random.isHeads() ? nil : text(),
                temporaryFullAccuracy: ["1" + random.word(): text(), "2" + random.word(): text()],
                defaultAccuracy: random.isHeads() ? .full : .reduced, background: random.isHeads() ? nil : true)
            let read = try TOMLText(manifest.toml, file: "x").decode(AppManifest.self, allowed: [])
            #expect(read == manifest, "seed \(seed): \(manifest.toml)")
        }
    }

    @Test func problemsNameTheKey() throws {
        let long = String(repeating: "x", count: 501)
        #expect(
            try problems([
                "NSLocationWhenInUseUsageDescription": "", "NSLocationAlwaysUsageDescription": long,
                "NSLocationTemporaryUsageDescriptionDictionary": ["a": "b\nc", "d": "$(NAME) asks"],
            ]) == [
                "NSLocationWhenInUseUsageDescription: the text is empty",
                "NSLocationAlwaysUsageDescription: the text is longer than 500 characters",
                "NSLocationTemporaryUsageDescriptionDictionary.a: the text contains U+000A: control characters, line "
                    + "breaks and bidirectional overrides are not allowed in what a user reads",
                "NSLocationTemporaryUsageDescriptionDictionary.d: contains a build variable; convert the Info.plist of "
                    + "the built app instead",
            ])
        let some = ["NSLocationWhenInUseUsageDescription": "w"]
        #expect(
            try problems(some, ["de": "NSLocationWhenInUseUsageDescription = \" \";"])
                == ["NSLocationWhenInUseUsageDescription: the text is empty (language de)"])
        #expect(
            try problems(some.merging(["CFBundleName": long]) { $1 })
                == ["CFBundleName: the text is longer than 100 characters"])
        let purpose = ["NSLocationTemporaryUsageDescriptionDictionary": [long: "a"]]
        #expect(
            try problems(purpose)
                == [
                    "NSLocationTemporaryUsageDescriptionDictionary.\(long): the key of a purpose has 1 to 100 characters "
                        + "and no control characters"
                ])
        #expect(try problems(["CFBundleName": "x"]).first?.hasPrefix("NSLocationWhenInUseUsageDescription: ") == true)
        #expect(try problems(Self.complete).isEmpty)
    }

    /// Whatever a file contains, the result is a manifest or an error, never a crash.
    @Test func damagedFiles() throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/Info.plist"
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let whole = try data(Self.complete, format)
            try whole.write(to: URL(filePath: file))
            let read = try PropertyListFile.read(InfoPropertyList.self, path: file)
            #expect(try ConvertedManifest(read).manifest == convert(Self.complete).manifest)
            for length in stride(from: 0, to: whole.count - 8, by: 13) {
                try whole.prefix(length).write(to: URL(filePath: file))
                #expect(throws: Failure.self, "the first \(length) bytes") {
                    try PropertyListFile.read(InfoPropertyList.self, path: file)
                }
            }
            for _ in 0..<300 {
                var damaged = whole
                for _ in 0..<3 {
                    damaged[Int.random(in: 0..<whole.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                try damaged.write(to: URL(filePath: file))
                do {
                    _ = try ConvertedManifest(try PropertyListFile.read(InfoPropertyList.self, path: file))
                } catch {
                    #expect(error is Failure || error is ConvertedManifest.Problems, "seed \(seed): \(error)")
                }
            }
        }
        try Data(count: PropertyListFile.largest + 1).write(to: URL(filePath: file))
        #expect {
            try PropertyListFile.read(InfoPropertyList.self, path: file)
        } throws: {
            ($0 as? Failure)?.message == "\(file): is larger than 1048576 bytes"
        }
    }

    /// Foundation's reader would overflow the stack.
    @Test(arguments: [String.Encoding.utf8, .utf16])
    func deepFiles(encoding: String.Encoding) throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/Info.plist"
        let start = "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>a</key>"
        let deep = start + String(repeating: "<array>", count: 40_000)
        try #require(deep.data(using: encoding)).write(to: URL(filePath: file))
        #expect {
            try PropertyListFile.read(InfoPropertyList.self, path: file)
        } throws: {
            ($0 as? Failure)?.message.hasSuffix("arrays and dictionaries are nested more than 128 deep") == true
        }
        let wide = start + "<array>" + String(repeating: "<array/>", count: 1000) + "</array></dict></plist>"
        try #require(wide.data(using: .utf8)).write(to: URL(filePath: file))
        _ = try PropertyListFile.read(InfoPropertyList.self, path: file)
    }
}

extension SeededRandom {
    fileprivate mutating func isHeads() -> Bool { next() & 1 == 0 }

    /// Returns a word of characters that have a meaning in TOML, or look as if they had one.
    fileprivate mutating func word() -> String {
        let scalars: [Unicode.Scalar] = [
            "\"", "\\", "'", "#", "=", "[", "]", "{", "}", ".", ",", "-", "_", " ", "u", "n", "0", "ä", "地", "\u{301}",
            "\u{200E}", "\u{FEFF}", "\u{1F469}", "\u{200D}", "\u{FFFD}",
        ]
        var word = String.UnicodeScalarView(["x"])
        for _ in 0..<Int(next() % 12) { word.append(scalars[Int(next() % UInt64(scalars.count))]) }
        return String(word)
    }
}
