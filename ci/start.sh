#!/usr/bin/env bash
# Starts a service that outlives this script, waits until it is ready, and prints the path of a file with its URL and key as
# variables. In a GitHub workflow, also sets them as environment variables of later steps and as outputs. Configure
# `petstore serve` through environment variables, such as PETSTORE_PORT. Arguments are those of `petstore sandbox reset`,
# such as --data-set int64 --today 2026-11-16.
set -euo pipefail

home=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/petstore-ci-XXXXXX")

# Installs the dependencies, and Node if this machine's is older than 24.4, from the npm registry on first use.
if [ ! -d "$home/node_modules/kysely" ]; then
  npm ci --prefix "$home" --omit=dev --no-audit --no-fund >&2
fi
export PATH="$home/node_modules/.bin:$PATH"

PETSTORE_DEPLOYMENT=${PETSTORE_DEPLOYMENT:-staging} PETSTORE_PORT=${PETSTORE_PORT:-0} \
  nohup "$home/cli/src/bin.js" serve --data "$folder/data" --env-file "$folder/env" > "$folder/log" 2>&1 < /dev/null &
service=$!

until [ -f "$folder/env" ]; do
  if ! kill -0 "$service" 2> /dev/null; then
    cat "$folder/log" >&2
    exit 1
  fi
  sleep 0.1
done

if [ $# -gt 0 ]; then
  (set -a && . "$folder/env" && "$home/cli/src/bin.js" sandbox reset "$@" >&2) || { kill "$service"; exit 1; }
fi

if [ -n "${GITHUB_ENV:-}" ]; then
  # The file is quoted for a shell; GitHub takes values literally.
  unset PETSTORE_KEY
  . "$folder/env"
  key=${PETSTORE_KEY:-}
  printf '%s\n' "PETSTORE_URL=$PETSTORE_URL" "PETSTORE_V2_URL=$PETSTORE_V2_URL" "PETSTORE_KEY=$key" "PETSTORE_PID=$service" >> "$GITHUB_ENV"
  printf '%s\n' "base-url=$PETSTORE_URL" "v2-url=$PETSTORE_V2_URL" "key=$key" >> "$GITHUB_OUTPUT"
fi
echo "PETSTORE_PID=$service" >> "$folder/env"
echo "$folder/env"
