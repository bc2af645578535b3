#!/bin/sh
# Runs a gateway in the foreground, from 127.0.0.1:8000 (GATEWAY_PORT) to 127.0.0.1:$PETSTORE_ORIGIN_PORT:
#   run.sh nginx|haproxy|apache|caddy [CONFIGURATION]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'kill "$gateway" 2>/dev/null' INT TERM
export GATEWAY_FOLDER="$folder" GATEWAY_PORT="${GATEWAY_PORT:-8000}" PATH="$PATH:/usr/sbin:/usr/local/sbin"
case ${1:-} in
  nginx)
    # nginx reads no environment variables. The three replicas of docs/nginx.conf become the one origin.
    sed -e "s/127.0.0.1:808[024]/127.0.0.1:$PETSTORE_ORIGIN_PORT/; s/ORIGIN_PORT/$PETSTORE_ORIGIN_PORT/" \
      -e "s/listen 8000/listen 127.0.0.1:$GATEWAY_PORT/; s/GATEWAY_PORT/$GATEWAY_PORT/" \
      "${2:-$here/../../docs/nginx.conf}" > "$folder/nginx.conf"
    nginx -p "$folder" -c "$folder/nginx.conf" -g "daemon off; pid $folder/nginx.pid; error_log stderr;" &
    ;;
  haproxy) haproxy -db -f "${2:-$here/haproxy.cfg}" & ;;
  apache) apache2 -DFOREGROUND -f "${2:-$here/apache.conf}" & ;;
  caddy) HOME=$folder caddy run --adapter caddyfile --config "${2:-$here/Caddyfile}" & ;;
  *) echo "usage: run.sh nginx|haproxy|apache|caddy [CONFIGURATION]" >&2 && exit 2 ;;
esac
gateway=$!
wait "$gateway"
