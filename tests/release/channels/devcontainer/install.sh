#!/bin/sh
# Runs as root while the container is built: the programs of this feature's version, and the managed settings.
set -eu
cd "$(dirname "$0")"
POLICY_HOOKS_BIN=/usr/bin sh ./fetch.sh
if [ "${MANAGED:-true}" = true ]; then
    mkdir -p /usr/lib/policy-hooks
    cp -R usr/. /usr/
    chmod 755 /usr/lib/policy-hooks/managed
    /usr/lib/policy-hooks/managed put
fi
