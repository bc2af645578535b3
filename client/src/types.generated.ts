// Made from contract/*.yaml: npm run contract

/** An order. Further fields may come: pass over those you do not know. */
export interface Order {
  /** Unique order identifier. */
  readonly id: bigint;
  /** Identifier of the animal in this order. */
  readonly petId: bigint;
  /** Number of units ordered. */
  readonly quantity: number;
  /** The expected ship date; from shipping on, the actual one. UTC. */
  readonly shipDate: string;
  /** Whether the order has been delivered. */
  readonly complete: boolean;
  readonly status: OrderStatus;
  /** When it was placed. UTC. */
  readonly placedAt: string;
  /** When it last changed its state. UTC. */
  readonly updatedAt: string;
}

/** The state that an order is in. */
export type OrderStatus = 'pending' | 'shipped' | 'delivered' | 'cancelled';

/** What orders are sorted by, `id` by default; `-` for descending. */
export type OrderSort = 'id' | '-id' | 'shipDate' | '-shipDate';

/** One page of orders. Further fields may come: pass over those you do not know. */
export interface OrderPage {
  /** What is on this page, in the order asked for. */
  readonly data: readonly Order[];
  /** Pass it as `cursor` for the next page; null on the last. */
  readonly nextCursor: string | null;
}

/** Every state that an order was in. Further fields may come: pass over those you do not know. */
export interface OrderHistory {
  /** Oldest first. */
  readonly data: readonly OrderHistoryEntry[];
}

/** One state that an order was in. Further fields may come: pass over those you do not know. */
export interface OrderHistoryEntry {
  readonly status: OrderStatus;
  /** When it entered that state. UTC. */
  readonly at: string;
}

/** An order to place. It has no other fields. */
export interface OrderInput {
  /** Identifier of the pet to order. */
  readonly petId: bigint | number;
  /** Number of units. */
  readonly quantity: number;
  /** When to ship; by default three days from now. */
  readonly shipDate?: string | undefined;
}

/** A pet. Further fields may come: pass over those you do not know. */
export interface Pet {
  /** Unique pet identifier. */
  readonly id: bigint;
  /** What the pet is called. */
  readonly name: string;
  /** What kind of animal it is, such as `dog`. */
  readonly category: string;
  readonly status: PetStatus;
  /** Units that can be ordered. */
  readonly stock: number;
}

/** `sold` when none is left. */
export type PetStatus = 'available' | 'sold';

/** One page of pets. Further fields may come: pass over those you do not know. */
export interface PetPage {
  /** What is on this page, in the order asked for. */
  readonly data: readonly Pet[];
  /** Pass it as `cursor` for the next page; null on the last. */
  readonly nextCursor: string | null;
}

/** A pet to add. It has no other fields. */
export interface PetInput {
  /** What the pet is called. */
  readonly name: string;
  /** What kind of animal it is, such as `dog`. */
  readonly category: string;
  /** Units that can be ordered. */
  readonly stock?: number | undefined;
}

/** What to change of a pet, at least one field. It has no others. */
export interface PetPatch {
  /** What the pet is called. */
  readonly name?: string | undefined;
  /** What kind of animal it is, such as `dog`. */
  readonly category?: string | undefined;
  /** Units that can be ordered. */
  readonly stock?: number | undefined;
}

/** A webhook. Further fields may come: pass over those you do not know. */
export interface Webhook {
  /** Unique webhook identifier. */
  readonly id: string;
  /** Where events are sent. */
  readonly url: string;
  /** Which events are sent. */
  readonly types: readonly EventType[];
  /** Whether anything is sent. */
  readonly active: boolean;
  /** When it was added. UTC. */
  readonly createdAt: string;
}

/** A webhook and its secret. Further fields may come: pass over those you do not know. */
export interface WebhookWithSecret {
  /** Unique webhook identifier. */
  readonly id: string;
  /** Where events are sent. */
  readonly url: string;
  /** Which events are sent. */
  readonly types: readonly EventType[];
  /** Whether anything is sent. */
  readonly active: boolean;
  /** When it was added. UTC. */
  readonly createdAt: string;
  /** Signs what is sent. Shown once. */
  readonly secret: string;
}

/** All webhooks of the store. Further fields may come: pass over those you do not know. */
export interface WebhookPage {
  /** Oldest first. */
  readonly data: readonly Webhook[];
  /** Always null: there is no further page. */
  readonly nextCursor: string | null;
}

/** A webhook to add. It has no other fields. */
export interface WebhookInput {
  /** Where to send events: an `https:` address that anybody can reach. */
  readonly url: string;
  /** Which events to send; by default all, those to come included. */
  readonly types?: readonly EventTypeInput[] | undefined;
}

/** What to change of a webhook, at least one field. It has no others. */
export interface WebhookPatch {
  /** Where to send events: an `https:` address that anybody can reach. */
  readonly url?: string | undefined;
  /** Which events to send; by default all, those to come included. */
  readonly types?: readonly EventTypeInput[] | undefined;
  /** Whether anything is sent. One that is turned on again is sent what happens from then on. */
  readonly active?: boolean | undefined;
}

/** What happened. An open list: pass over types that you do not know. */
export type EventType = 'order.placed' | 'order.shipped' | 'order.delivered' | 'order.cancelled' | 'pet.created' | 'pet.changed' | 'store.reset' | (string & {});

/** What a webhook can be sent. */
export type EventTypeInput = 'order.placed' | 'order.shipped' | 'order.delivered' | 'order.cancelled' | 'pet.created' | 'pet.changed' | 'store.reset';

/** Something that happened in the store. Types may come: pass over those you do not know. */
export type Event = OrderPlacedEvent | OrderShippedEvent | OrderDeliveredEvent | OrderCancelledEvent | PetCreatedEvent | PetChangedEvent | StoreResetEvent;

/** What a webhook is sent: an event, or a test. */
export type Message = OrderPlacedEvent | OrderShippedEvent | OrderDeliveredEvent | OrderCancelledEvent | PetCreatedEvent | PetChangedEvent | StoreResetEvent | WebhookTestMessage;

/** An event of the type `order.placed`. Further fields may come: pass over those you do not know. */
export interface OrderPlacedEvent {
  /** The revision that it brought the store to. */
  readonly id: string;
  /** What happened. */
  readonly type: 'order.placed';
  /** When it happened. UTC. */
  readonly at: string;
  readonly data: Order;
}

/** An event of the type `order.shipped`. Further fields may come: pass over those you do not know. */
export interface OrderShippedEvent {
  /** The revision that it brought the store to. */
  readonly id: string;
  /** What happened. */
  readonly type: 'order.shipped';
  /** When it happened. UTC. */
  readonly at: string;
  readonly data: Order;
}

/** An event of the type `order.delivered`. Further fields may come: pass over those you do not know. */
export interface OrderDeliveredEvent {
  /** The revision that it brought the store to. */
  readonly id: string;
  /** What happened. */
  readonly type: 'order.delivered';
  /** When it happened. UTC. */
  readonly at: string;
  readonly data: Order;
}

/** An event of the type `order.cancelled`. Further fields may come: pass over those you do not know. */
export interface OrderCancelledEvent {
  /** The revision that it brought the store to. */
  readonly id: string;
  /** What happened. */
  readonly type: 'order.cancelled';
  /** When it happened. UTC. */
  readonly at: string;
  readonly data: Order;
}

/** An event of the type `pet.created`. Further fields may come: pass over those you do not know. */
export interface PetCreatedEvent {
  /** The revision that it brought the store to. */
  readonly id: string;
  /** What happened. */
  readonly type: 'pet.created';
  /** When it happened. UTC. */
  readonly at: string;
  readonly data: Pet;
}

/** An event of the type `pet.changed`. Further fields may come: pass over those you do not know. */
export interface PetChangedEvent {
  /** The revision that it brought the store to. */
  readonly id: string;
  /** What happened. */
  readonly type: 'pet.changed';
  /** When it happened. UTC. */
  readonly at: string;
  readonly data: Pet;
}

/** An event of the type `store.reset`. Further fields may come: pass over those you do not know. */
export interface StoreResetEvent {
  /** The revision that it brought the store to. */
  readonly id: string;
  /** What happened. */
  readonly type: 'store.reset';
  /** When it happened. UTC. */
  readonly at: string;
  /** Empty. */
  readonly data: object;
}

/** Sent to see whether it arrives. It is no event: nothing happened in the store. Further fields may come: pass over those you do not know. */
export interface WebhookTestMessage {
  /** No revision. */
  readonly id: '0';
  /** What happened. */
  readonly type: 'webhook.test';
  /** When it happened. UTC. */
  readonly at: string;
  /** Empty. */
  readonly data: object;
}

/** An event on its way to a webhook. Further fields may come: pass over those you do not know. */
export interface Delivery {
  /** Counted for each webhook from 1. */
  readonly id: bigint;
  readonly event: Message;
  readonly status: DeliveryStatus;
  /** Each try so far, or the last eight of them, oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  /** When it is tried next, at the latest; null if it is not. */
  readonly nextAttemptAt: string | null;
  /** When it was made. UTC. */
  readonly createdAt: string;
}

/** `failed` when it was given up. */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

/** One try to send an event. Further fields may come: pass over those you do not know. */
export interface DeliveryAttempt {
  /** When it began. UTC. */
  readonly at: string;
  /** Where it was sent: the first 300 characters of the address that the webhook had then. */
  readonly url: string;
  /** The HTTP status of the answer; null if there was none. */
  readonly status: number | null;
  /** How long it took, in milliseconds. */
  readonly durationMs: number;
  /** The first 1 KB of the answer. Of one delivery, 2 KB are kept, of the newest tries: null for those before. */
  readonly answer: string | null;
  /** Why there was no answer. */
  readonly error: string | null;
}

/** One page of deliveries. Further fields may come: pass over those you do not know. */
export interface DeliveryPage {
  /** What is on this page, in the order asked for. */
  readonly data: readonly Delivery[];
  /** Pass it as `cursor` for the next page; null on the last. */
  readonly nextCursor: string | null;
}

/** A request to the store, and what came of it. Further fields may come: pass over those you do not know. */
export interface InspectedRequest {
  /** Unique, and growing with time. */
  readonly id: string;
  /** When it was answered. UTC. */
  readonly at: string;
  /** The HTTP method. */
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** The operation that it asked for. */
  readonly operation: string | null;
  /** The HTTP status; null where a fault of the sandbox took the place of the answer. With the fault `lost-answer`, the status of the answer that was lost. */
  readonly status: number | null;
  /** The code of the error. */
  readonly error: string | null;
  /** The fault of the sandbox that it met; null if none. */
  readonly fault: string | null;
  /** How long it took, in milliseconds. */
  readonly durationMs: number;
  /** Its `X-Request-Id`. */
  readonly requestId: string;
  /** Which key it came with; `session` for what was tried out in the API reference by somebody signed in. */
  readonly keyId: string;
  /** What sent it. */
  readonly userAgent: string | null;
  /** The first 4 KB of what was sent. */
  readonly requestBody: string | null;
  /** The first 4 KB of the answer. */
  readonly answerBody: string | null;
  /** The trace that its client has it belong to (W3C Trace Context); null where none was named. */
  readonly traceparent: string | null;
}

/** One page of requests. Further fields may come: pass over those you do not know. */
export interface RequestPage {
  /** What is on this page, in the order asked for. */
  readonly data: readonly InspectedRequest[];
  /** Pass it as `cursor` for the next page; null on the last. */
  readonly nextCursor: string | null;
}

/** What a store holds after a reset. `default`: the demonstration data. `empty`: nothing. `int64`: orders and pets with the ids that clients get wrong. `large`: as many orders as you like. */
export type DataSet = 'default' | 'empty' | 'int64' | 'large';

/** What to fill the store with. Either a data set or `data` of your own. It has no other fields. */
export interface ResetInput {
  readonly dataSet?: DataSet | undefined;
  /** What random choices are drawn from. */
  readonly seed?: bigint | number | undefined;
  /** How many orders a `large` store has, 10000 unless given; only with `large`. */
  readonly orders?: number | undefined;
  /** The day that dates are counted from, at 00:00 UTC; by default the present one. */
  readonly today?: string | undefined;
  readonly data?: OwnData | undefined;
}

/** The data set that a store was filled with, or `own`. */
export type FilledWith = 'default' | 'empty' | 'int64' | 'large' | 'own';

/** What the store holds now. Further fields may come: pass over those you do not know. */
export interface StoreReset {
  readonly dataSet: FilledWith;
  /** Null for data of your own. */
  readonly seed: bigint | null;
  /** How many orders. */
  readonly orders: number;
  /** How many pets. */
  readonly pets: number;
  /** The revision of the store from which on it is so. */
  readonly revision: bigint;
}

/** What to fill a new store with, and how long it lasts. Either a data set or `data` of your own. It has no other fields. */
export interface NewStoreInput {
  readonly dataSet?: DataSet | undefined;
  /** What random choices are drawn from. */
  readonly seed?: bigint | number | undefined;
  /** How many orders a `large` store has, 10000 unless given; only with `large`. */
  readonly orders?: number | undefined;
  /** The day that dates are counted from, at 00:00 UTC; by default the present one. */
  readonly today?: string | undefined;
  readonly data?: OwnData | undefined;
  /** After how many seconds the store and its key end. */
  readonly expiresIn?: number | undefined;
}

/** What the new store holds, and what opens it. Further fields may come: pass over those you do not know. */
export interface NewStore {
  readonly dataSet: FilledWith;
  /** Null for data of your own. */
  readonly seed: bigint | null;
  /** How many orders. */
  readonly orders: number;
  /** How many pets. */
  readonly pets: number;
  /** The revision of the store from which on it is so. */
  readonly revision: bigint;
  /** Opens it. */
  readonly key: string;
  /** When both end. UTC. */
  readonly expiresAt: string;
}

/** All pets and orders of a store. It has no other fields. */
export interface OwnData {
  /** By ascending id. */
  readonly pets: readonly OwnPet[];
  /** By ascending id. */
  readonly orders: readonly OwnOrder[];
}

/** A pet of your own. It has no other fields. */
export interface OwnPet {
  /** By default the next after the largest. */
  readonly id?: bigint | number | undefined;
  /** What the pet is called. */
  readonly name: string;
  /** What kind of animal it is, such as `dog`. */
  readonly category: string;
  /** Units that are left after these orders. */
  readonly stock: number;
}

/** An order of your own. It has no other fields. */
export interface OwnOrder {
  /** By default the next after the largest. */
  readonly id?: bigint | number | undefined;
  /** A pet of this data. */
  readonly petId: bigint | number;
  /** Number of units. */
  readonly quantity: number;
  /** By default three days after it was placed, or at once if it has shipped. */
  readonly shipDate?: string | undefined;
  readonly status?: OrderStatus | undefined;
  /** By default now. */
  readonly placedAt?: string | undefined;
  /** When it was delivered or cancelled, and only then; by default at once. */
  readonly updatedAt?: string | undefined;
}

/** All pets and orders of a store. Further fields may come: pass over those you do not know. */
export interface StoreData {
  /** By ascending id. */
  readonly pets: readonly StorePet[];
  /** By ascending id. */
  readonly orders: readonly StoreOrder[];
}

/** A pet as `data` takes it. Further fields may come: pass over those you do not know. */
export interface StorePet {
  /** By default the next after the largest. */
  readonly id: bigint;
  /** What the pet is called. */
  readonly name: string;
  /** What kind of animal it is, such as `dog`. */
  readonly category: string;
  /** Units that are left after these orders. */
  readonly stock: number;
}

/** An order as `data` takes it. Further fields may come: pass over those you do not know. */
export interface StoreOrder {
  /** By default the next after the largest. */
  readonly id: bigint;
  /** A pet of this data. */
  readonly petId: bigint;
  /** Number of units. */
  readonly quantity: number;
  /** By default three days after it was placed, or at once if it has shipped. */
  readonly shipDate: string;
  readonly status: OrderStatus;
  /** By default now. */
  readonly placedAt: string;
  /** When it was delivered or cancelled, and only then; by default at once. */
  readonly updatedAt?: string | undefined;
}

/** What the client sees. `status`: that documented Error, with its headers; nothing is done. `delay`: the right answer, later. `slow`: the right answer, its bytes spread over that time. `drop`: the connection closes before a byte of the answer; nothing is done. `reset`: the same with a TCP reset. `truncate`: right status and headers, half of the body, then the connection closes. `garbage`: bytes that are not HTTP, then the connection closes; nothing is done. `lost-answer`: the change is made and durable; the connection closes before a byte of the answer. `stale-connection`: the right answer with keep-alive, then the connection is closed without a word. */
export type FaultKind = 'status' | 'delay' | 'slow' | 'drop' | 'reset' | 'truncate' | 'garbage' | 'lost-answer' | 'stale-connection';

/** A fault to arm. It has no other fields. */
export interface FaultInput {
  /** Which requests: the version and the operationId, such as `v1.cancelOrder`, or `*` for all but those of the sandbox. */
  readonly operation: string;
  readonly fault: FaultKind;
  readonly parameters?: FaultParameters | undefined;
  /** How often it fires; null for always. */
  readonly times?: number | null | undefined;
  /** How likely it fires for a request; drawn from the seed. */
  readonly probability?: number | undefined;
  /** What is drawn from: the same seed fails the same requests. */
  readonly seed?: bigint | number | undefined;
}

/** What the fault takes, and no other fields. */
export interface FaultParameters {
  /** Of `status`: the status of an error that the operation documents. */
  readonly code?: number | undefined;
  /** Of `delay` and `slow`: how long, in milliseconds. */
  readonly ms?: number | undefined;
  /** Of `status`: the seconds that `Retry-After` asks to wait, 1 by default. */
  readonly retryAfter?: number | undefined;
  /** Of `status`: whether `Retry-After` has `seconds`, as by default, or a `date`. */
  readonly retryAfterForm?: string | undefined;
}

/** A fault that is armed. Further fields may come: pass over those you do not know. */
export interface ArmedFault {
  /** Which requests: the version and the operationId, such as `v1.cancelOrder`, or `*` for all but those of the sandbox. */
  readonly operation: string;
  readonly fault: FaultKind;
  readonly parameters: ArmedFaultParameters;
  /** How often it fires; null for always. */
  readonly times: number | null;
  /** How likely it fires for a request; drawn from the seed. */
  readonly probability: number;
  /** What is drawn from: the same seed fails the same requests. */
  readonly seed: bigint;
  /** How often it has fired. */
  readonly fired: number;
}

/** What the fault takes. Further fields may come: pass over those you do not know. */
export interface ArmedFaultParameters {
  /** Of `status`: the status of an error that the operation documents. */
  readonly code?: number | undefined;
  /** Of `delay` and `slow`: how long, in milliseconds. */
  readonly ms?: number | undefined;
  /** Of `status`: the seconds that `Retry-After` asks to wait, 1 by default. */
  readonly retryAfter?: number | undefined;
  /** Of `status`: whether `Retry-After` has `seconds`, as by default, or a `date`. */
  readonly retryAfterForm?: string | undefined;
}

/** Orders and stock, counted. Further fields may come: pass over those you do not know. */
export interface StoreSummary {
  readonly orders: OrderCounts;
  /** The last 520 weeks in which orders ship, ascending. Those without orders are left out. */
  readonly weeks: readonly WeekCounts[];
  /** Every pet of the store, by ascending id. */
  readonly stock: readonly PetStock[];
  /** The revision of the store at which all of this is so. */
  readonly revision: bigint;
}

/** How many orders are in each state. Further fields may come: pass over those you do not know. */
export interface OrderCounts {
  /** Orders that are pending. */
  readonly pending: number;
  /** Orders that are shipped. */
  readonly shipped: number;
  /** Orders that are delivered. */
  readonly delivered: number;
  /** Orders that are cancelled. */
  readonly cancelled: number;
}

/** How many orders that ship in a week are in each state. Further fields may come: pass over those you do not know. */
export interface WeekCounts {
  /** The Monday of the week. UTC. */
  readonly week: string;
  /** Orders that are pending. */
  readonly pending: number;
  /** Orders that are shipped. */
  readonly shipped: number;
  /** Orders that are delivered. */
  readonly delivered: number;
  /** Orders that are cancelled. */
  readonly cancelled: number;
}

/** What is left of a pet. Further fields may come: pass over those you do not know. */
export interface PetStock {
  /** Identifier of the pet. */
  readonly petId: bigint;
  /** Units that can be ordered. */
  readonly stock: number;
}

/** Machine-readable error code. An open list: take a code that you do not know for what its status says. */
export type ErrorCode = 'bad_request' | 'invalid_parameter' | 'invalid_cursor' | 'invalid_body' | 'invalid_preference' | 'missing_api_key' | 'invalid_api_key' | 'forbidden' | 'not_found' | 'method_not_allowed' | 'request_timeout' | 'order_already_shipped' | 'order_already_cancelled' | 'invalid_transition' | 'insufficient_stock' | 'pet_limit_reached' | 'order_limit_reached' | 'store_limit_reached' | 'too_much_data' | 'idempotency_key_in_use' | 'webhook_limit_reached' | 'delivery_limit_reached' | 'events_expired' | 'payload_too_large' | 'uri_too_long' | 'unsupported_media_type' | 'unknown_pet' | 'invalid_data' | 'invalid_webhook_url' | 'idempotency_key_reused' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'not_implemented' | 'unavailable' | (string & {});

/** All five fields are always there. */
export interface V1Order {
  /** Unique order identifier. */
  readonly id?: bigint | undefined;
  /** Identifier of the animal in this order. */
  readonly petId?: bigint | undefined;
  /** Number of units ordered. */
  readonly quantity?: number | undefined;
  /** The expected ship date; from shipping on, the actual one. UTC. */
  readonly shipDate?: string | undefined;
  /** Whether the order has been fulfilled. */
  readonly complete?: boolean | undefined;
}

export interface V1Pet {
  /** Unique pet identifier. */
  readonly id: bigint;
  /** What the pet is called. */
  readonly name: string;
  /** What kind of animal it is, such as `dog`. */
  readonly category: string;
  /** `sold` when none is left. */
  readonly status: 'available' | 'sold';
}
