# For ~/.bashrc: a line above the prompt while an app uses the location.
#
# The line comes from a command when the prompt is shown; it is not part of PS1, which bash would expand.
locationd_status() {
    local line
    line=$(locationctl indicator --line 2>/dev/null) && [ -n "$line" ] && printf '%s\n' "$line"
    return 0
}
PROMPT_COMMAND="locationd_status${PROMPT_COMMAND:+; $PROMPT_COMMAND}"
