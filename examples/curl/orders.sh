#!/usr/bin/env bash
# Run: PETSTORE_URL=http://127.0.0.1:8081/v1 PETSTORE_KEY=pst_test_… bash orders.sh
set -euo pipefail

V1=${PETSTORE_URL%/}
V2=${V1%/v1}/v2
call() { curl -sS -H "Authorization: Bearer $PETSTORE_KEY" "$@"; }

# Digits stay text here, so no id is rounded.
orders=$(call --fail "$V1/store/orders" | grep -o '{"id":[0-9]*' | grep -o '[0-9]*$')
echo "$(grep -c . <<<"$orders") orders, last id $(tail -1 <<<"$orders")"

pet=$(call --fail "$V2/pets?status=available&limit=1000" | grep -o '{"id":[0-9]*' | tail -1 | grep -o '[0-9]*$')

# curl retries with the same Idempotency-Key and body, so there is never a second order.
placed=$(call --fail --retry 3 "$V2/store/orders" \
  -H 'Content-Type: application/json' -H "Idempotency-Key: $RANDOM-$RANDOM-$RANDOM-$$" \
  -d "{\"petId\":$pet,\"quantity\":1}")
id=$(grep -o '^{"id":[0-9]*' <<<"$placed" | grep -o '[0-9]*$')
echo "placed order $id for pet $(grep -o '"petId":[0-9]*' <<<"$placed" | grep -o '[0-9]*$')"

call --fail -X DELETE "$V2/store/orders/$id"
echo "cancelled order $id"

rejection=$(call -w ' %{http_code}' -X DELETE "$V2/store/orders/$id")
echo "cancelled again: ${rejection##* } $(grep -o '"code":"[^"]*' <<<"$rejection" | cut -d'"' -f4)"
