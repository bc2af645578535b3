import json
import os
from pet_store_client import AuthenticatedClient
from pet_store_client.api.events import list_events
from pet_store_client.api.orders import cancel_order, get_order, list_orders, place_order
from pet_store_client.models import OrderInput, OrderPlacedEvent

env = os.environ
store = AuthenticatedClient(base_url=env['URL'], token=env['KEY'])
large = AuthenticatedClient(base_url=env['LARGE_URL'], token=env['LARGE_KEY'])

page = list_orders.sync(client=store, limit=15)
print('list', len(page.data))
seen = {order.id for order in page.data}
while page.next_cursor:
    page = list_orders.sync(client=store, limit=15, cursor=page.next_cursor)
    seen |= {order.id for order in page.data}
print('pages', len(seen))

wanted = OrderInput(pet_id=1, quantity=1)
placed = place_order.sync(client=store, body=wanted, idempotency_key='generated')
print('place', placed.status)
replayed = place_order.sync(client=store, body=wanted, idempotency_key='generated')
print('replay', 'same' if replayed.id == placed.id else 'another')
print('get', get_order.sync(placed.id, client=store).status)
cancel_order.sync(placed.id, client=store)
print('cancel', get_order.sync(placed.id, client=store).status)
conflict = cancel_order.sync_detailed(placed.id, client=store)
print('conflict', int(conflict.status_code), conflict.parsed.code)

unchanged = get_order.sync_detailed(1, client=large, if_none_match=env['ETAG'])
print('unchanged', int(unchanged.status_code))
print('large', get_order.sync(int(env['LARGE_ID']), client=large).id)
print('events', *(event.type_ for event in list_events.sync(client=large, after='0').data))
message = OrderPlacedEvent.from_dict(json.loads(env['MESSAGE']))
print('webhook', message.type_, message.data.pet_id)
