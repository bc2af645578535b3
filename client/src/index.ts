export {
  type AnyRequest,
  type Client,
  type ClientOptions,
  createClient,
  type RequestFilter,
} from './client.ts';
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  NotModifiedError,
  PetStoreError,
  RateLimitedError,
  ServerError,
  TimeoutError,
  UnavailableError,
} from './errors.ts';
export type { EventOptions, Events, StoreEvent, StoreMessage, UnknownEvent } from './events.ts';
export type { Id } from './id.ts';
export { parseJson, writeJson } from './json.ts';
export type { NewOrder, OrderFilter, Orders, PlaceOptions } from './orders.ts';
export type { Listing, Page } from './page.ts';
export type { PetFilter, Pets } from './pets.ts';
export type { AnswerHead, Result } from './result.ts';
export type { Sandbox } from './sandbox.ts';
export type { CallOptions, LogEntry } from './send.ts';
export type {
  ArmedFault,
  DataSet,
  Delivery,
  DeliveryAttempt,
  DeliveryStatus,
  ErrorCode,
  EventTypeInput,
  EventTypeName as EventType,
  FaultInput,
  FaultKind,
  InspectedRequest,
  NewStore,
  NewStoreInput,
  Order,
  OrderCounts,
  OrderHistoryEntry,
  OrderInput,
  OrderSort,
  OrderStatus,
  OwnData,
  Pet,
  PetInput,
  PetPatch,
  PetStatus,
  PetStock,
  ResetInput,
  StoreData,
  StoreReset,
  StoreSummary,
  V1Order,
  V1Pet,
  Webhook,
  WebhookInput,
  WebhookPatch,
  WebhookWithSecret,
  WeekCounts,
} from './types.generated.ts';
export type { V1 } from './v1.ts';
export {
  type ReceivedHeaders,
  type VerifyOptions,
  verifyWebhook,
  WebhookVerificationError,
} from './verify-webhook.ts';
export type { DeliveryFilter, Webhooks } from './webhooks.ts';
