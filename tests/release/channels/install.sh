#!/bin/sh
# Installs policy-hooks %{version}% into ~/.local/bin, or into $POLICY_HOOKS_BIN. What it fetches has to have the checksum
# that is written below: read this file, and you know what you get.
set -eu
downloads='%{downloads}%'
sums='%{sums}%'

fail() {
    echo "install.sh: $*" >&2
    exit 1
}

case "$(uname -s) $(uname -m)" in
"Linux x86_64" | "Linux amd64") triple=x86_64-unknown-linux-musl ;;
"Linux aarch64" | "Linux arm64") triple=aarch64-unknown-linux-musl ;;
"Darwin arm64") triple=aarch64-apple-darwin ;;
"Darwin x86_64") triple=x86_64-apple-darwin ;;
*) fail "there are no programs for $(uname -s) on $(uname -m)" ;;
esac
name=policy-hooks-%{version}%-$triple
line=$(printf '%s\n' "$sums" | grep "  $name.tar.gz\$") || fail "this release has no $name.tar.gz"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
if command -v curl >/dev/null; then
    curl --fail --silent --show-error --location --output "$name.tar.gz" "$downloads/$name.tar.gz"
elif command -v wget >/dev/null; then
    wget --quiet --output-document "$name.tar.gz" "$downloads/$name.tar.gz"
else
    fail "neither curl nor wget is installed"
fi

if command -v sha256sum >/dev/null; then
    found=$(sha256sum "$name.tar.gz")
elif command -v shasum >/dev/null; then
    found=$(shasum -a 256 "$name.tar.gz")
else
    fail "neither sha256sum nor shasum is installed: nothing is installed unverified"
fi
[ "${found%% *}" = "${line%% *}" ] || fail "$name.tar.gz has the checksum ${found%% *}, not ${line%% *}: nothing was installed"

tar -xf "$name.tar.gz"
bin=${POLICY_HOOKS_BIN:-$HOME/.local/bin}
mkdir -p "$bin"
for program in "$name"/bin/*; do
    # Renamed into place: a call that is running keeps its file.
    cp "$program" "$bin/.${program##*/}.new"
    mv "$bin/.${program##*/}.new" "$bin/${program##*/}"
done
echo "policy-hooks %{version}% is in $bin"
case :$PATH: in
*:"$bin":*) echo "Next: hook-runner init" ;;
*) echo "Next: $bin/hook-runner init" ;;
esac
