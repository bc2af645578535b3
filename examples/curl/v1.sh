#!/usr/bin/env bash
# Run: PETSTORE_URL=http://127.0.0.1:8080/v1 PETSTORE_KEY=pst_live_… bash v1.sh
set -euo pipefail

call() { curl -sS -H "Authorization: Bearer $PETSTORE_KEY" "$@"; }
# One object a line. Digits stay text here, so no id is rounded.
lines() { grep -o '{[^}]*}' || true; }
id() { grep -o '"id":[0-9]*' | cut -d: -f2; }

pets=$(call --fail "$PETSTORE_URL/pets" | lines)
echo "connected: $(grep -c . <<<"$pets") pets"

orders=$(call --fail "$PETSTORE_URL/store/orders" | lines)
echo "$(grep -c . <<<"$orders") orders, last id $(tail -1 <<<"$orders" | id)"

# Only a pending order can be cancelled, and v1 shows no status: try the last one first.
for order in $(grep '"complete":false' <<<"$orders" | id | sort -rn); do
  status=$(call -o /dev/null -w '%{http_code}' -X DELETE "$PETSTORE_URL/store/orders/$order")
  if [ "$status" = 204 ]; then
    echo "cancelled order $order"
    break
  fi
done

order=$(grep '"complete":true' <<<"$orders" | id | tail -1)
rejection=$(call -w ' %{http_code}' -X DELETE "$PETSTORE_URL/store/orders/$order")
echo "order $order cannot be cancelled: ${rejection##* } $(grep -o '"code":"[^"]*' <<<"$rejection" | cut -d'"' -f4)"
