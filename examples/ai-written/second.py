"""The first suite and what the same model added after reading the verdicts and hints of check-suite, once."""
import re

import first  # noqa: F401
from store import KEY, OTHER_KEY, READ_KEY, call, check, is_error, place


def listed():
    return call('GET', 'v1/store/orders').body


def stock(pet):
    return call('GET', f'v2/pets/{pet}').body['stock']


# 3, 4, 5, 6: every field of the list, and version 2 as the second source
delivered = {order['id'] for order in call('GET', 'v2/store/orders?status=delivered&limit=1000').body['data']}
orders = listed()
check('ascending ids', [order['id'] for order in orders] == sorted(order['id'] for order in orders))
for order in orders:
    check('exactly five fields', list(order) == ['id', 'petId', 'quantity', 'shipDate', 'complete'])
    check('integers', all(type(order[name]) is int for name in ('id', 'petId', 'quantity')))
    check('complete if delivered', order['complete'] == (order['id'] in delivered))

# 8, 10, 19, 23, 24: what the documents say
check('v1 ignores limit', call('GET', 'v1/store/orders?limit=3').body == listed())
tag = {'If-None-Match': call('GET', 'v1/store/orders').headers['ETag']}
check('not modified', call('GET', 'v1/store/orders', headers=tag).status == 304)
order = place(shipDate='2031-02-03T04:05:06.000Z')
check('modified', call('GET', 'v1/store/orders', headers=tag).status == 200)
is_error(call('DELETE', f'v1/store/orders/0{order["id"]}'), 404, 'not_found')
check('deprecated', call('GET', 'v1/pets/1').headers['Deprecation'] is not None)
check('the ship date', order['shipDate'] == '2031-02-03T04:05:06.000Z')
check('a location', call('POST', 'v2/store/orders', {'petId': 1, 'quantity': 1}).headers['Location'] is not None)

# 16, 26 to 31: states
path = f'v2/store/orders/{order["id"]}'
is_error(call('POST', f'{path}/deliver'), 409, 'invalid_transition')
check('the real ship date', call('POST', f'{path}/ship').body['shipDate'] != order['shipDate'])
is_error(call('POST', f'{path}/ship'), 409, 'invalid_transition')
call('POST', f'{path}/deliver')
is_error(call('DELETE', f'v1/store/orders/{order["id"]}'), 409, 'order_already_shipped')
history = [entry['status'] for entry in call('GET', f'{path}/history').body['data']]
check('history in order', history == ['pending', 'shipped', 'delivered'])
cancelled = f'v2/store/orders/{place()["id"]}'
call('DELETE', cancelled)
check('a cancelled order is shown', call('GET', cancelled).body['status'] == 'cancelled')
is_error(call('DELETE', cancelled), 409, 'order_already_cancelled')

# 32 to 37: stock and summary
before = stock(2)
path = f'v2/store/orders/{place(pet_id=2, quantity=2)["id"]}'
check('stock is taken', stock(2) == before - 2)
call('DELETE', path)
check('stock comes back', stock(2) == before)
is_error(call('POST', 'v2/store/orders', {'petId': 2, 'quantity': before + 1}), 409, 'insufficient_stock')
call('PATCH', 'v2/pets/3', {'stock': 0})
check('sold in v2', call('GET', 'v2/pets/3').body['status'] == 'sold')
check('sold in v1', call('GET', 'v1/pets').body[2]['status'] == 'sold')
everything = call('GET', 'v2/store/orders?limit=1000').body['data']
for status, count in call('GET', 'v2/store/summary').body['orders'].items():
    check(f'counts {status}', count == sum(order['status'] == status for order in everything))

# 39, 40: idempotency
key = {'Idempotency-Key': 'other'}
call('POST', 'v2/store/orders', {'petId': 1, 'quantity': 1}, headers=key)
again = call('POST', 'v2/store/orders', {'petId': 1, 'quantity': 1}, headers=key)
check('replayed', again.headers['Idempotent-Replayed'] == 'true')
is_error(call('POST', 'v2/store/orders', {'petId': 1, 'quantity': 2}, headers=key), 422, 'idempotency_key_reused')

# 43 to 47: pages and filters
everything = call('GET', 'v2/store/orders?limit=1000').body['data']
seen, cursor = [], ''
while cursor is not None:
    page = call('GET', 'v2/store/orders?limit=7' + (f'&cursor={cursor}' if cursor else '')).body
    seen, cursor = seen + [order['id'] for order in page['data']], page['nextCursor']
check('all pages', seen == [order['id'] for order in everything])
both = {order['status'] for order in call('GET', 'v2/store/orders?status=shipped,delivered&limit=1000').body['data']}
check('two statuses', both == {'shipped', 'delivered'})
is_error(call('GET', 'v2/store/orders?color=brown'), 400, 'invalid_parameter')

# 48 to 52: events
events = call('GET', 'v2/store/events?after=0&limit=1000').body['data']
after = call('GET', f'v2/store/events?after={events[0]["id"]}&limit=1000').body['data']
check('after excludes', after == events[1:])
check('cancelling is an event', 'order.cancelled' in [event['type'] for event in events])
placed = [event['data'] for event in events if event['type'] == 'order.placed']
check('as it was then', all(data['status'] == 'pending' for data in placed))

# 53 to 75: security
data = {'pets': [{'id': 1, 'name': 'Ada', 'category': 'cat', 'stock': 3}],
        'orders': [{'id': 7777, 'petId': 1, 'quantity': 1}]}
counts = call('GET', 'v2/store/summary').body['orders']
call('POST', 'v2/sandbox/reset', {'data': data}, key=OTHER_KEY)
is_error(call('GET', 'v2/store/orders/7777'), 404, 'not_found')
is_error(call('DELETE', 'v1/store/orders/7777'), 404, 'not_found')
check('counts are mine', call('GET', 'v2/store/summary').body['orders'] == counts)
is_error(call('DELETE', f'v2/store/orders/{place()["id"]}', key=READ_KEY), 403, 'forbidden')
for wrong in (KEY[:-1], KEY.upper()):
    for path in ('v1/store/orders', 'v2/store/orders'):
        is_error(call('GET', path, key=wrong), 401, 'invalid_api_key')
is_error(call('GET', f'v1/pets?api_key={KEY}', key=None), 401, 'missing_api_key')
is_error(call('GET', 'v2/store/orders?limit=100000'), 400, 'invalid_parameter')
is_error(call('POST', 'v2/store/orders', {'petId': 1, 'quantity': 1, 'status': 'shipped'}), 400, 'invalid_body')
is_error(call('PATCH', 'v2/pets/4', {'status': 'sold'}), 400, 'invalid_body')
is_error(call('POST', 'v2/webhooks', {'url': 'file:///etc/passwd'}), 422, 'invalid_webhook_url')
webhook = call('POST', 'v2/webhooks', {'url': 'https://webhook.invalid/'}).body
check('no secret', 'secret' not in call('GET', f'v2/webhooks/{webhook["id"]}').body)
check('no stack', not re.search(r'\n', call('POST', 'v2/pets', {'name': 'Ada'}).body['message']))
cors = call('GET', 'v1/store/orders', headers={'Origin': 'https://evil.example'}).headers
check('no credentials', cors['Access-Control-Allow-Credentials'] is None)
check('nosniff', call('GET', 'v2/pets/1').headers['X-Content-Type-Options'] == 'nosniff')
call('POST', 'v2/sandbox/reset', {'dataSet': 'int64'})
check('exact ids', 9007199254740993 in [order['id'] for order in listed()])
