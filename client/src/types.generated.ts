// Generated from contract/*.yaml: npm run contract

/** An order. New fields may be added: ignore fields you do not know. */
export interface Order {
  /** Unique order id. */
  readonly id: bigint;
  /** Id of the ordered pet. */
  readonly petId: bigint;
  /** Number of units ordered. */
  readonly quantity: number;
  /** The expected ship date; once the order has shipped, the actual one. UTC. */
  readonly shipDate: string;
  /** Whether the order has been delivered. */
  readonly complete: boolean;
  readonly status: OrderStatus;
  /** When the order was placed. UTC. */
  readonly placedAt: string;
  /** When the status last changed. UTC. */
  readonly updatedAt: string;
}

/** Status of the order. */
export type OrderStatus = 'pending' | 'shipped' | 'delivered' | 'cancelled';

/** Sort order, `id` by default; `-` for descending. */
export type OrderSort = 'id' | '-id' | 'shipDate' | '-shipDate';

/** A page of orders. New fields may be added: ignore fields you do not know. */
export interface OrderPage {
  /** The items of this page. */
  readonly data: readonly Order[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  readonly nextCursor: string | null;
}

/** Status history of an order. New fields may be added: ignore fields you do not know. */
export interface OrderHistory {
  /** Oldest first. */
  readonly data: readonly OrderHistoryEntry[];
}

/** A status and when the order reached it. New fields may be added: ignore fields you do not know. */
export interface OrderHistoryEntry {
  readonly status: OrderStatus;
  /** When the order reached this status. UTC. */
  readonly at: string;
}

/** An order to place. Accepts no other fields. */
export interface OrderInput {
  /** Id of the pet to order. */
  readonly petId: bigint | number;
  /** Number of units. */
  readonly quantity: number;
  /** Requested ship date. Three days from now by default. */
  readonly shipDate?: string | null | undefined;
}

/** A pet. New fields may be added: ignore fields you do not know. */
export interface Pet {
  /** Unique pet id. */
  readonly id: bigint;
  /** Name of the pet. */
  readonly name: string;
  /** Kind of animal, such as `dog`. */
  readonly category: string;
  readonly status: PetStatus;
  /** Units in stock. */
  readonly stock: number;
}

/** `sold` when none are left. */
export type PetStatus = 'available' | 'sold';

/** A page of pets. New fields may be added: ignore fields you do not know. */
export interface PetPage {
  /** The items of this page. */
  readonly data: readonly Pet[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  readonly nextCursor: string | null;
}

/** A pet to create. Accepts no other fields. */
export interface PetInput {
  /** Name of the pet. */
  readonly name: string;
  /** Kind of animal, such as `dog`. */
  readonly category: string;
  /** Units in stock. */
  readonly stock?: number | undefined;
}

/** At least one field to change. Accepts no other fields. */
export interface PetPatch {
  /** Name of the pet. */
  readonly name?: string | undefined;
  /** Kind of animal, such as `dog`. */
  readonly category?: string | undefined;
  /** Units in stock. */
  readonly stock?: number | undefined;
}

/** A webhook. New fields may be added: ignore fields you do not know. */
export interface Webhook {
  /** Unique webhook id. */
  readonly id: string;
  /** URL that events are sent to. */
  readonly url: string;
  /** Event types that are sent. */
  readonly types: readonly EventTypeName[];
  /** Whether events are sent. */
  readonly active: boolean;
  /** When the webhook was created. UTC. */
  readonly createdAt: string;
}

/** A webhook with its secret. New fields may be added: ignore fields you do not know. */
export interface WebhookWithSecret {
  /** Unique webhook id. */
  readonly id: string;
  /** URL that events are sent to. */
  readonly url: string;
  /** Event types that are sent. */
  readonly types: readonly EventTypeName[];
  /** Whether events are sent. */
  readonly active: boolean;
  /** When the webhook was created. UTC. */
  readonly createdAt: string;
  /** Signing secret. Shown only once. */
  readonly secret: string;
}

/** All webhooks of the store. New fields may be added: ignore fields you do not know. */
export interface WebhookPage {
  /** Oldest first. */
  readonly data: readonly Webhook[];
  /** Always null: the list has one page. */
  readonly nextCursor: string | null;
}

/** A webhook to create. Accepts no other fields. */
export interface WebhookInput {
  /** URL to send events to: a public `https:` URL. Where the service listens on loopback, or runs with `--webhooks-private`, also `http:` and private addresses. */
  readonly url: string;
  /** Event types to send. By default all, including types added later. */
  readonly types?: readonly EventTypeInput[] | undefined;
}

/** At least one field to change. Accepts no other fields. */
export interface WebhookPatch {
  /** URL to send events to: a public `https:` URL. Where the service listens on loopback, or runs with `--webhooks-private`, also `http:` and private addresses. */
  readonly url?: string | undefined;
  /** Event types to send. By default all, including types added later. */
  readonly types?: readonly EventTypeInput[] | undefined;
  /** Whether events are sent. A reactivated webhook gets events from then on. */
  readonly active?: boolean | undefined;
}

/** Type of the event. New types may be added: ignore types you do not know. */
export type EventTypeName = 'order.placed' | 'order.shipped' | 'order.delivered' | 'order.cancelled' | 'pet.created' | 'pet.changed' | 'store.reset' | (string & {});

/** Event type that a webhook can subscribe to. */
export type EventTypeInput = 'order.placed' | 'order.shipped' | 'order.delivered' | 'order.cancelled' | 'pet.created' | 'pet.changed' | 'store.reset';

/** A change to the store. New types may be added: ignore types you do not know. */
export type Event = OrderPlacedEvent | OrderShippedEvent | OrderDeliveredEvent | OrderCancelledEvent | PetCreatedEvent | PetChangedEvent | StoreResetEvent;

/** A message to a webhook: an event or a test. */
export type Message = OrderPlacedEvent | OrderShippedEvent | OrderDeliveredEvent | OrderCancelledEvent | PetCreatedEvent | PetChangedEvent | StoreResetEvent | WebhookTestMessage;

/** An event of type `order.placed`. New fields may be added: ignore fields you do not know. */
export interface OrderPlacedEvent {
  /** The revision of the store after the change. */
  readonly id: string;
  /** Type of the event. */
  readonly type: 'order.placed';
  /** When the event happened. UTC. */
  readonly at: string;
  readonly data: Order;
}

/** An event of type `order.shipped`. New fields may be added: ignore fields you do not know. */
export interface OrderShippedEvent {
  /** The revision of the store after the change. */
  readonly id: string;
  /** Type of the event. */
  readonly type: 'order.shipped';
  /** When the event happened. UTC. */
  readonly at: string;
  readonly data: Order;
}

/** An event of type `order.delivered`. New fields may be added: ignore fields you do not know. */
export interface OrderDeliveredEvent {
  /** The revision of the store after the change. */
  readonly id: string;
  /** Type of the event. */
  readonly type: 'order.delivered';
  /** When the event happened. UTC. */
  readonly at: string;
  readonly data: Order;
}

/** An event of type `order.cancelled`. New fields may be added: ignore fields you do not know. */
export interface OrderCancelledEvent {
  /** The revision of the store after the change. */
  readonly id: string;
  /** Type of the event. */
  readonly type: 'order.cancelled';
  /** When the event happened. UTC. */
  readonly at: string;
  readonly data: Order;
}

/** An event of type `pet.created`. New fields may be added: ignore fields you do not know. */
export interface PetCreatedEvent {
  /** The revision of the store after the change. */
  readonly id: string;
  /** Type of the event. */
  readonly type: 'pet.created';
  /** When the event happened. UTC. */
  readonly at: string;
  readonly data: Pet;
}

/** An event of type `pet.changed`. New fields may be added: ignore fields you do not know. */
export interface PetChangedEvent {
  /** The revision of the store after the change. */
  readonly id: string;
  /** Type of the event. */
  readonly type: 'pet.changed';
  /** When the event happened. UTC. */
  readonly at: string;
  readonly data: Pet;
}

/** An event of type `store.reset`. New fields may be added: ignore fields you do not know. */
export interface StoreResetEvent {
  /** The revision of the store after the change. */
  readonly id: string;
  /** Type of the event. */
  readonly type: 'store.reset';
  /** When the event happened. UTC. */
  readonly at: string;
  /** Empty. */
  readonly data: object;
}

/** A test message. It is not an event: nothing changed in the store. New fields may be added: ignore fields you do not know. */
export interface WebhookTestMessage {
  /** Always `0`: a test has no revision. */
  readonly id: '0';
  /** Type of the event. */
  readonly type: 'webhook.test';
  /** When the event happened. UTC. */
  readonly at: string;
  /** Empty. */
  readonly data: object;
}

/** The delivery of a message to a webhook. New fields may be added: ignore fields you do not know. */
export interface Delivery {
  /** Sequence number, starting at 1 for each webhook. */
  readonly id: bigint;
  readonly event: Message;
  readonly status: DeliveryStatus;
  /** Up to the last eight attempts, oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  /** The next attempt starts by this time; null if none is scheduled. */
  readonly nextAttemptAt: string | null;
  /** When the delivery was created. UTC. */
  readonly createdAt: string;
}

/** `failed` when all attempts have failed. */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

/** An attempt to deliver a message. New fields may be added: ignore fields you do not know. */
export interface DeliveryAttempt {
  /** When the attempt started. UTC. */
  readonly at: string;
  /** The first 300 characters of the URL at the time of the attempt. */
  readonly url: string;
  /** The HTTP status of the response; null if there was none. */
  readonly status: number | null;
  /** Duration in milliseconds. */
  readonly durationMs: number;
  /** The first 1 KB of the response body. Stored for the newest attempts only, up to 2 KB in total per delivery; null for older ones. */
  readonly answer: string | null;
  /** Why there was no response. */
  readonly error: string | null;
}

/** A page of deliveries. New fields may be added: ignore fields you do not know. */
export interface DeliveryPage {
  /** The items of this page. */
  readonly data: readonly Delivery[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  readonly nextCursor: string | null;
}

/** A request to the store and its response. New fields may be added: ignore fields you do not know. */
export interface InspectedRequest {
  /** Unique id, increasing over time. */
  readonly id: string;
  /** When the response was sent. UTC. */
  readonly at: string;
  /** The HTTP method. */
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** The operationId of the request. */
  readonly operation: string | null;
  /** The HTTP status; null if a sandbox fault replaced the response. With the fault `lost-answer`, the status of the lost response. */
  readonly status: number | null;
  /** The error code. */
  readonly error: string | null;
  /** The sandbox fault that fired; null if none. */
  readonly fault: string | null;
  /** Duration in milliseconds. */
  readonly durationMs: number;
  /** The `X-Request-Id` of the request. */
  readonly requestId: string;
  /** Id of the API key; `session` for requests sent from the API reference by a signed-in user. */
  readonly keyId: string;
  /** The `User-Agent` header. */
  readonly userAgent: string | null;
  /** The first 4 KB of the request headers, by lowercase name. Credentials are replaced by `…`. */
  readonly requestHeaders: object | null;
  /** The first 4 KB of the response headers, by lowercase name. Credentials are replaced by `…`. */
  readonly responseHeaders: object | null;
  /** The first 4 KB of the request body. */
  readonly requestBody: string | null;
  /** The first 4 KB of the response body. */
  readonly answerBody: string | null;
  /** The trace context sent by the client (W3C Trace Context); null if none. */
  readonly traceparent: string | null;
}

/** A page of requests. New fields may be added: ignore fields you do not know. */
export interface RequestPage {
  /** The items of this page. */
  readonly data: readonly InspectedRequest[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  readonly nextCursor: string | null;
}

/** Contents of the store after a reset. `default`: the demonstration data. `empty`: nothing. `int64`: orders and pets with ids that clients often get wrong. `large`: a chosen number of orders. */
export type DataSet = 'default' | 'empty' | 'int64' | 'large';

/** New contents of the store. Send either a data set or your own `data`; `seed` and `orders` require a data set. Accepts no other fields. */
export interface ResetInput {
  readonly dataSet?: DataSet | undefined;
  /** Random seed. */
  readonly seed?: bigint | number | undefined;
  /** Number of orders; only with `large`. 10000 by default. */
  readonly orders?: number | undefined;
  /** All dates are relative to 00:00 UTC of this day, from 1970-01-01 to 9998-12-31. Today by default. */
  readonly today?: string | undefined;
  readonly data?: OwnData | undefined;
  readonly rateLimit?: StoreRateLimit | undefined;
}

/** The data set in the store; `own` for your own data. */
export type FilledWith = 'default' | 'empty' | 'int64' | 'large' | 'own';

/** Contents of the store after the reset. New fields may be added: ignore fields you do not know. */
export interface StoreReset {
  readonly dataSet: FilledWith;
  /** The seed of the data set; null for your own data. */
  readonly seed: bigint | null;
  /** Number of orders. */
  readonly orders: number;
  /** Number of pets. */
  readonly pets: number;
  /** The revision of the store after this change. */
  readonly revision: bigint;
}

/** Rate limit of this store alone; null lifts it. Unchanged by default. */
export type StoreRateLimit = {
  /** Requests per window. */
  readonly requests: number;
  /** Length of a window. */
  readonly seconds: number;
} | null;

/** Contents and lifetime of the new store. Send either a data set or your own `data`; `seed` and `orders` require a data set. Accepts no other fields. */
export interface NewStoreInput {
  readonly dataSet?: DataSet | undefined;
  /** Random seed. */
  readonly seed?: bigint | number | undefined;
  /** Number of orders; only with `large`. 10000 by default. */
  readonly orders?: number | undefined;
  /** All dates are relative to 00:00 UTC of this day, from 1970-01-01 to 9998-12-31. Today by default. */
  readonly today?: string | undefined;
  readonly data?: OwnData | undefined;
  readonly rateLimit?: StoreRateLimit | undefined;
  /** Lifetime of the store and its key, in seconds. */
  readonly expiresIn?: number | undefined;
}

/** Contents of the new store, and its API key. New fields may be added: ignore fields you do not know. */
export interface NewStore {
  readonly dataSet: FilledWith;
  /** The seed of the data set; null for your own data. */
  readonly seed: bigint | null;
  /** Number of orders. */
  readonly orders: number;
  /** Number of pets. */
  readonly pets: number;
  /** The revision of the store after this change. */
  readonly revision: bigint;
  /** API key of the new store. */
  readonly key: string;
  /** When the store and its key expire. UTC. */
  readonly expiresAt: string;
}

/** All pets and orders of a store. Accepts no other fields. */
export interface OwnData {
  /** Sorted by ascending id. */
  readonly pets: readonly OwnPet[];
  /** Sorted by ascending id. */
  readonly orders: readonly OwnOrder[];
}

/** A pet to load. Accepts no other fields. */
export interface OwnPet {
  /** Unique id. A request may omit it: the next free id is assigned. */
  readonly id?: bigint | number | undefined;
  /** Name of the pet. */
  readonly name: string;
  /** Kind of animal, such as `dog`. */
  readonly category: string;
  /** Units left in stock after these orders. */
  readonly stock: number;
}

/** An order to load. Accepts no other fields. */
export interface OwnOrder {
  /** Unique id. A request may omit it: the next free id is assigned. */
  readonly id?: bigint | number | undefined;
  /** Id of a pet in this data. */
  readonly petId: bigint | number;
  /** Number of units. */
  readonly quantity: number;
  /** By default three days after `placedAt`; for an order that has shipped, `placedAt`. A date-time, or relative to 00:00 UTC of `today`, such as `+3d`, `-12h` or `+30m`. */
  readonly shipDate?: string | null | undefined;
  readonly status?: OrderStatus | undefined;
  /** By default 00:00 UTC of `today` if given, else now; for an order that has shipped, `shipDate` if that is earlier. A date-time, or relative to 00:00 UTC of `today`, such as `+3d`, `-12h` or `+30m`. */
  readonly placedAt?: string | null | undefined;
  /** When the order was delivered or cancelled; only for those states. By default `shipDate` if delivered, `placedAt` if cancelled. A date-time, or relative to 00:00 UTC of `today`, such as `+3d`, `-12h` or `+30m`. */
  readonly updatedAt?: string | null | undefined;
}

/** All pets and orders of a store. New fields may be added: ignore fields you do not know. */
export interface StoreData {
  /** Sorted by ascending id. */
  readonly pets: readonly StorePet[];
  /** Sorted by ascending id. */
  readonly orders: readonly StoreOrder[];
}

/** A pet in the format of `data`. New fields may be added: ignore fields you do not know. */
export interface StorePet {
  /** Unique id. A request may omit it: the next free id is assigned. */
  readonly id: bigint;
  /** Name of the pet. */
  readonly name: string;
  /** Kind of animal, such as `dog`. */
  readonly category: string;
  /** Units left in stock after these orders. */
  readonly stock: number;
}

/** An order in the format of `data`. New fields may be added: ignore fields you do not know. */
export interface StoreOrder {
  /** Unique id. A request may omit it: the next free id is assigned. */
  readonly id: bigint;
  /** Id of a pet in this data. */
  readonly petId: bigint;
  /** Number of units. */
  readonly quantity: number;
  /** The expected ship date; once the order has shipped, the actual one. */
  readonly shipDate: string;
  readonly status: OrderStatus;
  /** When the order was placed. */
  readonly placedAt: string;
  /** When the order was delivered or cancelled. */
  readonly updatedAt?: string | undefined;
}

/** Effect that the client observes. `status`: the documented error with that status, including its headers; the request has no effect. `delay`: the correct response, delayed. `slow`: the correct response, its bytes spread over `ms` milliseconds. `drop`: the connection closes before any byte of the response; the request has no effect. `reset`: like `drop`, with a TCP reset. `truncate`: the correct status and headers, half of the body, then the connection closes. `garbage`: bytes that are not HTTP, then the connection closes; the request has no effect. `lost-answer`: the change is applied and durable, but the connection closes before any byte of the response. `stale-connection`: the correct response with keep-alive, then the connection closes without notice. */
export type FaultKind = 'status' | 'delay' | 'slow' | 'drop' | 'reset' | 'truncate' | 'garbage' | 'lost-answer' | 'stale-connection';

/** A fault to arm. Accepts no other fields. */
export interface FaultInput {
  /** The operation to affect, as version and operationId, such as `v1.cancelOrder`; `*` for every operation except those of the sandbox. */
  readonly operation: string;
  readonly fault: FaultKind;
  readonly parameters?: FaultParameters | undefined;
  /** Number of times the fault fires; null for no limit. */
  readonly times?: number | null | undefined;
  /** Probability that the fault fires for a request; `seed` determines for which ones. */
  readonly probability?: number | undefined;
  /** Random seed: the same seed affects the same requests. */
  readonly seed?: bigint | number | undefined;
}

/** Parameters of the fault. Accepts no other fields. */
export interface FaultParameters {
  /** For `status`: the status code of an error that the operation documents. */
  readonly code?: number | undefined;
  /** For `delay` and `slow`: duration in milliseconds. */
  readonly ms?: number | undefined;
  /** For `status`: the number of seconds in `Retry-After`, 1 by default. */
  readonly retryAfter?: number | undefined;
  /** For `status`: whether `Retry-After` is in `seconds` (the default) or a `date`. */
  readonly retryAfterForm?: string | undefined;
}

/** An armed fault. New fields may be added: ignore fields you do not know. */
export interface ArmedFault {
  /** The operation to affect, as version and operationId, such as `v1.cancelOrder`; `*` for every operation except those of the sandbox. */
  readonly operation: string;
  readonly fault: FaultKind;
  readonly parameters: ArmedFaultParameters;
  /** Number of times the fault fires; null for no limit. */
  readonly times: number | null;
  /** Probability that the fault fires for a request; `seed` determines for which ones. */
  readonly probability: number;
  /** Random seed: the same seed affects the same requests. */
  readonly seed: bigint;
  /** Number of times the fault has fired. */
  readonly fired: number;
}

/** Parameters of the fault. New fields may be added: ignore fields you do not know. */
export interface ArmedFaultParameters {
  /** For `status`: the status code of an error that the operation documents. */
  readonly code?: number | undefined;
  /** For `delay` and `slow`: duration in milliseconds. */
  readonly ms?: number | undefined;
  /** For `status`: the number of seconds in `Retry-After`, 1 by default. */
  readonly retryAfter?: number | undefined;
  /** For `status`: whether `Retry-After` is in `seconds` (the default) or a `date`. */
  readonly retryAfterForm?: string | undefined;
}

/** Order counts and stock levels. New fields may be added: ignore fields you do not know. */
export interface StoreSummary {
  readonly orders: OrderCounts;
  /** The last 520 weeks in which orders ship, oldest first. Weeks without orders are omitted. */
  readonly weeks: readonly WeekCounts[];
  /** Every pet of the store, sorted by ascending id. */
  readonly stock: readonly PetStock[];
  /** The store revision that the counts reflect. */
  readonly revision: bigint;
}

/** Number of orders per status. New fields may be added: ignore fields you do not know. */
export interface OrderCounts {
  /** Number of pending orders. */
  readonly pending: number;
  /** Number of shipped orders. */
  readonly shipped: number;
  /** Number of delivered orders. */
  readonly delivered: number;
  /** Number of cancelled orders. */
  readonly cancelled: number;
}

/** Number of orders that ship in one week, per status. New fields may be added: ignore fields you do not know. */
export interface WeekCounts {
  /** The Monday of the week. UTC. */
  readonly week: string;
  /** Number of pending orders. */
  readonly pending: number;
  /** Number of shipped orders. */
  readonly shipped: number;
  /** Number of delivered orders. */
  readonly delivered: number;
  /** Number of cancelled orders. */
  readonly cancelled: number;
}

/** Stock of a pet. New fields may be added: ignore fields you do not know. */
export interface PetStock {
  /** Id of the pet. */
  readonly petId: bigint;
  /** Units in stock. */
  readonly stock: number;
}

/** Machine-readable error code. New codes may be added: handle an unknown code by its status. */
export type ErrorCode = 'bad_request' | 'invalid_parameter' | 'invalid_cursor' | 'invalid_body' | 'invalid_preference' | 'missing_api_key' | 'invalid_api_key' | 'forbidden' | 'not_found' | 'method_not_allowed' | 'request_timeout' | 'order_already_shipped' | 'order_already_cancelled' | 'invalid_transition' | 'insufficient_stock' | 'pet_limit_reached' | 'order_limit_reached' | 'store_limit_reached' | 'too_much_data' | 'idempotency_key_in_use' | 'webhook_limit_reached' | 'delivery_limit_reached' | 'events_expired' | 'payload_too_large' | 'uri_too_long' | 'unsupported_media_type' | 'unknown_pet' | 'invalid_data' | 'invalid_webhook_url' | 'idempotency_key_reused' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'not_implemented' | 'unavailable' | (string & {});

/** All five fields are always present. */
export interface V1Order {
  /** Unique order id. */
  readonly id?: bigint | undefined;
  /** Id of the ordered pet. */
  readonly petId?: bigint | undefined;
  /** Number of units ordered. */
  readonly quantity?: number | undefined;
  /** The expected ship date; once the order has shipped, the actual one. UTC. */
  readonly shipDate?: string | undefined;
  /** Whether the order has been fulfilled. */
  readonly complete?: boolean | undefined;
}

export interface V1Pet {
  /** Unique pet id. */
  readonly id: bigint;
  /** Name of the pet. */
  readonly name: string;
  /** Kind of animal, such as `dog`. */
  readonly category: string;
  /** `sold` when none are left. */
  readonly status: 'available' | 'sold';
}
