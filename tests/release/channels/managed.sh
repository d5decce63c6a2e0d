#!/bin/sh
# Puts the files that hosts read for the whole machine in place, or takes them away: `managed put`, `managed take`.
# They are no configuration files of the package manager's: those would outlive the programs, and a host whose hook
# is missing denies every call, or lets every one through.
set -eu
waiting=/usr/share/policy-hooks-managed
# Copies of what was put, by which a later version knows what is still as it left it.
known=/var/lib/policy-hooks-managed

files() {
    if [ -d "$1" ]; then (cd "$1" && find etc -type f); fi
}

case ${1-} in
put)
    files "$waiting" | while read -r file; do
        if [ -e "/$file" ] && ! cmp -s "/$file" "$known/$file" && ! cmp -s "/$file" "$waiting/$file"; then
            echo "policy-hooks-managed: /$file stays as it is: merge $waiting/$file into it" >&2
            continue
        fi
        mkdir -p "$(dirname "/$file")" "$(dirname "$known/$file")"
        # Whole or not at all: a host may read it at this moment.
        cp "$waiting/$file" "/$file.new"
        mv "/$file.new" "/$file"
        cp "$waiting/$file" "$known/$file"
    done
    ;;
take)
    files "$known" | while read -r file; do
        if cmp -s "/$file" "$known/$file"; then
            rm "/$file"
            (cd / && rmdir -p "$(dirname "$file")" 2>/dev/null) || true
        elif [ -e "/$file" ]; then
            echo "policy-hooks-managed: /$file was changed and stays: it may name programs that will be missing" >&2
        fi
    done
    rm -rf "$known"
    ;;
*)
    echo "usage: $0 put|take" >&2
    exit 2
    ;;
esac
