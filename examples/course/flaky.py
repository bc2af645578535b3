"""Exercise 15: this test fails sometimes, though the service is correct. Why?"""
from concurrent.futures import ThreadPoolExecutor
from store import call, check, place

with ThreadPoolExecutor(max_workers=10) as pool:
    placed = [order['id'] for order in pool.map(lambda i: place(pet_id=1 + i % 5), range(10))]

orders = [order['id'] for order in call('GET', 'v1/store/orders').body]
check('the placed orders are the last ones, in this order', orders[-10:] == placed)
call('DELETE', f'v1/store/orders/{placed[0]}')
check('the cancelled order is gone', placed[0] not in [order['id'] for order in call('GET', 'v1/store/orders').body])
