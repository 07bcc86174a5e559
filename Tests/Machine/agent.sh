#!/bin/bash
# Runs the scripts that the host sends through a port of the machine. A line "ID SCRIPT", the script in base64, starts
# one beside the running ones. It returns "ID line LINE" for each line of output, and finally "ID end STATUS".
exec 3<>"$1"
printf '\nhello\n' >&3
while read -r id script <&3; do
    {
        bash -c "$(base64 --decode <<<"$script")" </dev/null 2>&1 3>&- |
            while IFS= read -r line || [[ $line ]]; do printf '%s line %s\n' "$id" "$line" >&3; done
        printf '%s end %s\n' "$id" "${PIPESTATUS[0]}" >&3
    } &
done
