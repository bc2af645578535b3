<?php
require getenv('GUZZLE') ?: 'vendor/autoload.php';
spl_autoload_register(function ($class) {
    $file = 'lib/' . str_replace('\\', '/', substr($class, strlen('OpenAPI\\Client\\'))) . '.php';
    if (str_starts_with($class, 'OpenAPI\\Client\\')) require $file;
});

use OpenAPI\Client\{ApiException, Configuration, ObjectSerializer};
use OpenAPI\Client\Api\{EventsApi, OrdersApi};
use OpenAPI\Client\Model\{OrderInput, OrderPlacedEvent};

function client($url, $key) {
    return (new Configuration())->setHost(getenv($url))->setAccessToken(getenv($key));
}
function rejected($call) {
    try {
        $call();
    } catch (ApiException $error) {
        return $error;
    }
}
function say(...$words) {
    echo implode(' ', $words), "\n";
}

$orders = new OrdersApi(null, client('URL', 'KEY'));
$largeStore = client('LARGE_URL', 'LARGE_KEY');
$largeOrders = new OrdersApi(null, $largeStore);

$page = $orders->listOrders(limit: 15);
say('list', count($page->getData()));
$seen = [];
while (true) {
    foreach ($page->getData() as $order) $seen[$order->getId()] = true;
    if ($page->getNextCursor() === null) break;
    $page = $orders->listOrders(limit: 15, cursor: $page->getNextCursor());
}
say('pages', count($seen));

$wanted = new OrderInput(['pet_id' => 1, 'quantity' => 1]);
$placed = $orders->placeOrder($wanted, 'generated');
say('place', $placed->getStatus());
$replayed = $orders->placeOrder($wanted, 'generated');
say('replay', $replayed->getId() === $placed->getId() ? 'same' : 'another');
say('get', $orders->getOrder($placed->getId())->getStatus());
$orders->cancelOrder($placed->getId());
say('cancel', $orders->getOrder($placed->getId())->getStatus());
$conflict = rejected(fn () => $orders->cancelOrder($placed->getId()));
say('conflict', $conflict->getCode(), $conflict->getResponseObject()->getCode());

say('unchanged', rejected(fn () => $largeOrders->getOrder(1, getenv('ETAG')))->getCode());
say('large', $largeOrders->getOrder((int) getenv('LARGE_ID'))->getId());
$events = (new EventsApi(null, $largeStore))->listEvents('0')->getData();
say('events', ...array_map(fn ($event) => $event->getType(), $events));
// The generated class for all messages fits none of them: deserialize with the class of the type.
$message = ObjectSerializer::deserialize(json_decode(getenv('MESSAGE')), OrderPlacedEvent::class);
say('webhook', $message->getType(), $message->getData()->getPetId());
