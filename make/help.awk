# Prints the targets in groups: `##@ ` begins a group, and `## ` before a rule describes its target.
/^##@ / { printf "%s%s\n", (groups++ ? "\n" : ""), substr($0, 5) }
/^## / { text = text substr($0, 4) " " }
/^[a-z][a-z0-9-]*:/ && text { describe(substr($1, 1, index($1, ":") - 1)) }
/^[^#]/ || /^$/ { text = "" }

function describe(name,    line, words, count, i) {
    count = split(text, words, " ")
    for (i = 1; i <= count; i++) {
        if (line && length(line " " words[i]) > 96) { printf "  %-20s%s\n", name, line; name = line = "" }
        line = line (line ? " " : "") words[i]
    }
    printf "  %-20s%s\n", name, line
}
