/// A set of hashes in one array: 16 bytes or less for each, where `Set` needs three times as much.
struct StateSet: Sendable {
    private(set) var count = 0
    /// A power of two of places. Zero is an empty place.
    private var places = [UInt64](repeating: 0, count: 1024)

    private func place(of hash: UInt64) -> (index: Int, isTaken: Bool) {
        let mask = places.count - 1
        var index = Int(truncatingIfNeeded: hash) & mask
        while places[index] != 0 {
            if places[index] == hash { return (index, true) }
            index = (index + 1) & mask
        }
        return (index, false)
    }

    func contains(_ hash: UInt64) -> Bool { place(of: max(hash, 1)).isTaken }

    /// Inserts a hash. Returns `false` if the set already has it.
    mutating func insert(_ hash: UInt64) -> Bool {
        let hash = max(hash, 1)
        let (index, isTaken) = place(of: hash)
        if isTaken { return false }
        places[index] = hash
        count += 1
        if count * 4 > places.count * 3 { grow() }
        return true
    }

    private mutating func grow() {
        let old = places
        places = [UInt64](repeating: 0, count: old.count * 2)
        for hash in old where hash != 0 { places[place(of: hash).index] = hash }
    }
}
