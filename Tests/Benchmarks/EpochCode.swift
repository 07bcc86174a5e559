import Glibc

/// The instructions that the daemon executes in an epoch, by their addresses.
///
/// At one epoch a second, everything else has run in between, and each line of code is fetched from memory again. So
/// besides their number it matters on how many lines of the cache, and pages, the instructions lie.
struct EpochCode {
    /// The size of a line of the cache, in bytes.
    static let lineSize: UInt64 = 64
    /// The size of a page, in bytes.
    static let pageSize: UInt64 = 4096

    /// A place in a program or in a library.
    struct Address: Hashable {
        let object: String
        let offset: UInt64
    }

    /// The instructions of an epoch.
    let instructions: Double
    /// The addresses that are executed in every epoch. Of the first epochs two may have been read at once.
    let everyEpoch: Set<Address>

    /// Returns the difference between two runs under callgrind, one with `epochs` epochs more.
    init(shorter: String, longer: String, epochs: Int) throws {
        let before = try Self.executions(in: shorter)
        var total = 0
        var every: Set<Address> = []
        for (address, count) in try Self.executions(in: longer) {
            let difference = count - before[address, default: 0]
            total += difference
            if difference >= epochs * 9 / 10 { every.insert(address) }
        }
        instructions = Double(total) / Double(epochs)
        everyEpoch = every
    }

    /// The number of lines of the cache that every epoch touches.
    var lines: Int { count(Self.lineSize) }
    /// The number of pages that every epoch touches.
    var pages: Int { count(Self.pageSize) }

    private func count(_ size: UInt64) -> Int {
        Set(everyEpoch.map { Address(object: $0.object, offset: $0.offset / size) }).count
    }

    /// Returns the functions of `program` that every epoch executes at least partly, by the linker's names, in the
    /// order of their addresses.
    func functions(of program: String) throws -> [String] {
        let addresses = everyEpoch.filter { $0.object == program }.map(\.offset).sorted()
        var symbols: [(start: UInt64, name: Substring)] = []
        let table = try output(of: "nm --defined-only '\(program)'")
        for line in table.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count == 3, "tTwW".contains(fields[1]), let start = UInt64(fields[0], radix: 16) else {
                continue
            }
            symbols.append((start, fields[2]))
        }
        symbols.sort { $0.start < $1.start }
        var names: [String] = []
        var next = 0
        for address in addresses {
            while next + 1 < symbols.count, symbols[next + 1].start <= address { next += 1 }
            guard next < symbols.count, symbols[next].start <= address else { continue }
            // Several names of one function: any of them will do.
            let name = String(symbols[next].name)
            if names.last != name { names.append(name) }
        }
        return names
    }

    /// Returns how often each address was executed, by a profile with `--dump-instr=yes --compress-pos=no`.
    ///
    /// Callgrind's manual, "Callgrind Format Specification": `ob=(id) name` sets the object, a line of numbers is an
    /// address, a line of source and a count, and the one after `calls=` is what the called function has cost.
    private static func executions(in profile: String) throws -> [Address: Int] {
        guard let file = fopen(profile, "r") else { throw Failure("open(\(profile))", errno: errno) }
        defer { fclose(file) }
        var counts: [Address: Int] = [:]
        var objects: [Substring: String] = [:]
        var object = ""
        var isCall = false
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        while getline(&line, &capacity, file) > 0, let line {
            if line[0] == CChar(UInt8(ascii: "0")) {
                defer { isCall = false }
                var end: UnsafeMutablePointer<CChar>?
                let address = strtoull(line, &end, 16)
                _ = strtoull(end ?? line, &end, 10)
                let count = Int(strtoull(end ?? line, nil, 10))
                if !isCall { counts[Address(object: object, offset: address), default: 0] += count }
                continue
            }
            let text = String(cString: line)
            if text.hasPrefix("calls=") { isCall = true }
            guard text.hasPrefix("ob=") || text.hasPrefix("cob=") else { continue }
            let name = text.drop { $0 != "(" }.dropLast()
            let id = name.prefix { $0 != ")" }
            if name.count > id.count + 2 { objects[id] = String(name.dropFirst(id.count + 2)) }
            if text.hasPrefix("ob=") { object = objects[id] ?? "" }
        }
        return counts
    }
}

/// Returns the output of a shell command.
private func output(of command: String) throws -> String {
    guard let pipe = popen(command, "r") else { throw Failure("popen", errno: errno) }
    var text: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&block, 1, block.count, pipe), count > 0 { text += block.prefix(count) }
    guard pclose(pipe) == 0 else { throw Failure("\(command) failed") }
    return String(decoding: text, as: UTF8.self)
}
