/// Puts `new` in the place of `value`, and returns what was there.
func exchange<Value>(_ value: inout Value, with new: Value) -> Value {
    let old = value
    value = new
    return old
}
