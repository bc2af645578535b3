#!/bin/sh
# A careful client in a shell: three attempts with a timeout each, and nothing printed before a response is whole.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

call() {
  method=$1 url=$2 unsure= left=3
  shift 2
  while :; do
    left=$((left - 1))
    : > "$folder/body"
    if ! status=$(curl -sS --max-time 15 -X "$method" "$url" -D "$folder/head" -o "$folder/body" -w '%{http_code}' \
      -H "Authorization: Bearer $PETSTORE_KEY" -H 'Content-Type: application/json' "$@"); then
      unsure=yes
      if [ "$left" -gt 0 ]; then continue; fi
      exit 1
    fi
    case $status in
      429 | 503) if [ "$left" -gt 0 ]; then pause; continue; fi ;;
    esac
    break
  done
  if [ "$method $status $unsure" = 'DELETE 404 yes' ]; then return; fi
  case $status in
    2* | 304) ;;
    *) cat "$folder/body" >&2; exit 1 ;;
  esac
  if grep -qi '^deprecation:' "$folder/head"; then echo "$method $url is deprecated" >&2; fi
}

pause() {
  after=$(sed -n 's/^retry-after: *//Ip' "$folder/head" | tr -d '\r')
  case $after in
    *[!0-9]*) after=$(($(date -d "$after" +%s) - $(date +%s))) ;;
  esac
  if [ "$after" -gt 0 ]; then sleep "$after"; fi
}

ids() { sed 's/,"/\n"/g; s/{/\n/g' "$folder/body" | sed -n 's/^"id":\([0-9]*\)$/\1/p'; }
name() { python3 -c 'import json, sys; print(json.load(sys.stdin)["name"])' < "$folder/body"; }
place() {
  call POST "$PETSTORE_V2_URL/store/orders" -d '{"petId":1,"quantity":1}' -H "Idempotency-Key: $(cat /proc/sys/kernel/random/uuid)"
}

case "$PETSTORE_TASK" in
  list-orders) call GET "$PETSTORE_URL/store/orders"; ids ;;
  list-pets-twice)
    call GET "$PETSTORE_URL/pets"; ids
    call GET "$PETSTORE_URL/pets"; ids
    ;;
  get-pet) call GET "$PETSTORE_V2_URL/pets/1"; name ;;
  get-pet-v1) call GET "$PETSTORE_URL/pets/1"; name ;;
  cancel-order) call DELETE "$PETSTORE_URL/store/orders/$PETSTORE_ORDER_ID" ;;
  place-order) place ;;
  place-two-orders) place; place ;;
  *) exit 64 ;;
esac
