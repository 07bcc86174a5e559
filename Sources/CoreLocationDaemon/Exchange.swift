/// Replaces `value` by `new`, and returns the old value.
func exchange<Value>(_ value: inout Value, with new: Value) -> Value {
    let old = value
    value = new
    return old
}
