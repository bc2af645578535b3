import os
from openapi_client import ApiClient, Configuration, EventsApi, Message, OrderInput, OrdersApi
from openapi_client.exceptions import ApiException

env = os.environ
store = ApiClient(Configuration(host=env['URL'], access_token=env['KEY']))
large = ApiClient(Configuration(host=env['LARGE_URL'], access_token=env['LARGE_KEY']))
orders, large_orders = OrdersApi(store), OrdersApi(large)


def rejected(call):
    try:
        call()
    except ApiException as error:
        return error


page = orders.list_orders(limit=15)
print('list', len(page.data))
seen = {order.id for order in page.data}
while page.next_cursor:
    page = orders.list_orders(limit=15, cursor=page.next_cursor)
    seen |= {order.id for order in page.data}
print('pages', len(seen))

wanted = OrderInput(petId=1, quantity=1)
placed = orders.place_order(wanted, idempotency_key='generated')
print('place', placed.status.value)
replayed = orders.place_order(wanted, idempotency_key='generated')
print('replay', 'same' if replayed.id == placed.id else 'another')
print('get', orders.get_order(placed.id).status.value)
orders.cancel_order(placed.id)
print('cancel', orders.get_order(placed.id).status.value)
conflict = rejected(lambda: orders.cancel_order(placed.id))
print('conflict', conflict.status, conflict.data.code)

print('unchanged', rejected(lambda: large_orders.get_order(1, if_none_match=env['ETAG'])).status)
print('large', large_orders.get_order(int(env['LARGE_ID'])).id)
events = EventsApi(large).list_events(after='0')
print('events', *(event.actual_instance.type for event in events.data))
message = Message.from_json(env['MESSAGE']).actual_instance
print('webhook', message.type, message.data.pet_id)
