import NIOCore
import TestSupport
import Testing

@testable import Varlink

/// Valid texts with random damage. Whatever the parsers return, they do not trap.
struct MutationTests {
    private static let calls = [
        #"{"method":"org.example.test.Locate","parameters":{"place":{"latitude":4.7e1,"longitude":-8},"tags":["\u00e4\n"]}}"#,
        #"{"method":"a.b.C","more":true,"oneway":false,"upgrade":null,"parameters":{"x":[[1,2],{"y":null}]}}"#,
        #"{"parameters":{"number":9223372036854775807},"continues":true}"#,
    ]

    private func damaged(_ text: String, _ generator: inout SeededRandom) -> [UInt8] {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let index = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes.insert(Array(#"{}[]",:\-0.eE"#.utf8).randomElement(using: &generator)!, at: index)
            case 2: bytes.insert(contentsOf: bytes[index...].prefix(8), at: index)
            default: if bytes.count > 1 { bytes.remove(at: index) }
            }
        }
        return bytes
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func messages(seed: UInt64) throws {
        var generator = SeededRandom(seed: seed)
        let interface = try InterfaceDescription(parsing: TestService.definition)
        for _ in 0..<2000 {
            let bytes = damaged(Self.calls.randomElement(using: &generator)!, &generator)
            guard let request = try? Request(parsing: ByteBuffer(bytes: bytes), maximumDepth: 32) else { continue }
            for method in interface.methods { try? interface.validate(request.parameters, fields: method.input) }
            // A value that parses stays the same when it is written and parsed again.
            var writer = JSONWriter()
            writer.value(request.parameters)
            #expect(try JSONValue(parsing: writer.bytes.span) == request.parameters)
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func definitions(seed: UInt64) {
        var generator = SeededRandom(seed: seed)
        let lines = TestService.definition.split(separator: "\n").count + 10
        for _ in 0..<200 {
            let text = String(decoding: damaged(TestService.definition, &generator), as: UTF8.self)
            do throws(InterfaceSyntaxError) {
                #expect(try InterfaceDescription(parsing: text).text == text)
            } catch {
                #expect(1...lines ~= error.line)
            }
        }
    }
}
