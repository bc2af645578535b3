"""Written by a language model from llms.txt and the OpenAPI documents, in one go. Run it with check-suite."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '../course'))
from store import call, check, is_error, place  # noqa: E402

# Authentication
for path in ['v1/store/orders', 'v1/pets', 'v2/store/orders', 'v2/pets', 'v2/store/summary']:
    check(f'{path} requires a key', call('GET', path, key=None).status == 401)
    check(f'{path} rejects a wrong key', call('GET', path, key='pst_test_invalid').status == 401)

# Version 1: lists
orders = call('GET', 'v1/store/orders')
check('orders are listed', orders.status == 200 and len(orders.body) == 40)
for order in orders.body:
    check('an order has its fields', {'id', 'petId', 'quantity', 'shipDate', 'complete'} <= set(order))
    check('an id is an integer', isinstance(order['id'], int))
pets = call('GET', 'v1/pets')
check('pets are listed', pets.status == 200 and len(pets.body) == 12)
check('a pet has a status', all(pet['status'] in ('available', 'sold') for pet in pets.body))
check('a pet is found', call('GET', 'v1/pets/1').body['id'] == 1)
is_error(call('GET', 'v1/pets/999999'), 404, 'not_found')

# Version 1: cancelling
check('a pending order is cancelled', call('DELETE', 'v1/store/orders/2').status == 204)
check('it is gone', 2 not in [order['id'] for order in call('GET', 'v1/store/orders').body])
is_error(call('DELETE', 'v1/store/orders/2'), 404, 'not_found')
is_error(call('DELETE', 'v1/store/orders/3'), 409, 'order_already_shipped')
is_error(call('DELETE', 'v1/store/orders/999999'), 404, 'not_found')

# Version 2: orders
order = place(pet_id=1, quantity=1)
check('a new order is pending', order['status'] == 'pending')
path = f'v2/store/orders/{order["id"]}'
check('it is found', call('GET', path).body['id'] == order['id'])
check('it ships', call('POST', f'{path}/ship').body['status'] == 'shipped')
check('it is delivered', call('POST', f'{path}/deliver').body['status'] == 'delivered')
is_error(call('DELETE', path), 409, 'order_already_shipped')
check('it has a history', len(call('GET', f'{path}/history').body['data']) == 3)
is_error(call('POST', 'v2/store/orders', {'petId': 999999, 'quantity': 1}), 422, 'unknown_pet')
is_error(call('POST', 'v2/store/orders', {'petId': 1, 'quantity': 0}), 400, 'invalid_body')
is_error(call('POST', 'v2/store/orders', {'petId': 1}), 400, 'invalid_body')

# Version 2: idempotency
key = {'Idempotency-Key': 'same'}
one = call('POST', 'v2/store/orders', {'petId': 1, 'quantity': 1}, headers=key)
two = call('POST', 'v2/store/orders', {'petId': 1, 'quantity': 1}, headers=key)
check('a retry is the same order', one.body['id'] == two.body['id'])

# Version 2: pages and filters
page = call('GET', 'v2/store/orders?limit=10').body
check('a page has ten', len(page['data']) == 10 and page['nextCursor'])
more = call('GET', f'v2/store/orders?limit=10&cursor={page["nextCursor"]}').body
check('the next page differs', page['data'][-1]['id'] < more['data'][0]['id'])
shipped = call('GET', 'v2/store/orders?status=shipped').body['data']
check('a filter filters', all(order['status'] == 'shipped' for order in shipped))
is_error(call('GET', 'v2/store/orders?limit=0'), 400, 'invalid_parameter')

# Version 2: events and summary
events = call('GET', 'v2/store/events?after=0').body['data']
check('there are events', any(event['type'] == 'order.placed' for event in events))
check('the summary counts', set(call('GET', 'v2/store/summary').body['orders']) >= {'pending', 'shipped'})
