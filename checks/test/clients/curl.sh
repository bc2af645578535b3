#!/bin/sh
# A client as one writes it in a shell: curl retries, and text tools take the ids out.
set -eu
call() {
  curl -sS --fail --retry 2 --retry-all-errors --max-time 20 -H "Authorization: Bearer $PETSTORE_KEY" "$@"
}
ids() {
  grep -o '"id":[0-9]*' | cut -d: -f2 || true
}
place() {
  call -X POST "$PETSTORE_V2_URL/store/orders" -H 'Content-Type: application/json' -d '{"petId":1,"quantity":1}' | ids
}
case "$PETSTORE_TASK" in
  list-orders)
    body=$(call "$PETSTORE_URL/store/orders")
    printf '%s' "$body" | ids
    ;;
  cancel-order)
    call -X DELETE "$PETSTORE_URL/store/orders/$PETSTORE_ORDER_ID"
    ;;
  place-order) place ;;
  place-two-orders) place && place ;;
  list-pets-twice)
    call "$PETSTORE_URL/pets" | ids
    call "$PETSTORE_URL/pets" | ids
    ;;
  get-pet) call "$PETSTORE_V2_URL/pets/1" | grep -o '"name":"[^"]*' | cut -d'"' -f4 ;;
  get-pet-v1)
    body=$(call "$PETSTORE_URL/pets/1")
    printf '%s' "$body" | grep -o '"name":"[^"]*' | cut -d'"' -f4
    ;;
  *) exit 64 ;;
esac
