#!/bin/sh
# The package's command. Without other names, it takes the service's folder and settings.
: "${ANNON_DATA_DIR=/var/lib/annon}" "${ANNON_CONFIG=/etc/annon/annon.toml}"
[ -r "$ANNON_CONFIG" ] || unset ANNON_CONFIG
if [ -z "${ANNON_ENV_FILE-}" ] && [ -r /etc/annon/annon.env ]; then ANNON_ENV_FILE=/etc/annon/annon.env; fi
export ANNON_DATA_DIR ${ANNON_CONFIG+ANNON_CONFIG} ${ANNON_ENV_FILE+ANNON_ENV_FILE}
exec /usr/lib/annon/annon "$@"
