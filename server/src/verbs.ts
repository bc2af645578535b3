import { changePassword } from './accounts/change-password.ts';
import { closeAccount } from './accounts/close-account.ts';
import { endAllSessions, endOneSession, endSession } from './accounts/end-session.ts';
import { openAccount } from './accounts/open-account.ts';
import { openAccountStore } from './accounts/open-account-store.ts';
import { renewSession } from './accounts/renew-session.ts';
import { resetPassword } from './accounts/reset-password.ts';
import { startSession } from './accounts/start-session.ts';
import { forgetEvents } from './events/forget-events.ts';
import { createKey } from './keys/create-key.ts';
import { mintSessionKey } from './keys/mint-session-key.ts';
import { recordKeyUse } from './keys/record-key-use.ts';
import { revokeKey, revokeStoreKey } from './keys/revoke-key.ts';
import { rollKey } from './keys/roll-key.ts';
import { startKeySession } from './keys/start-key-session.ts';
import { cancelOrder } from './orders/cancel-order.ts';
import { deliverOrder } from './orders/deliver-order.ts';
import { setKnownKey } from './orders/known-key-store.ts';
import { openStore } from './orders/open-store.ts';
import { placeOrder } from './orders/place-order.ts';
import { shipOrder } from './orders/ship-order.ts';
import { changePet } from './pets/change-pet.ts';
import { createPet } from './pets/create-pet.ts';
import { forgetRequests, recordRequests } from './requests/record-requests.ts';
import { armFaults, drawFault } from './sandbox/armed-faults.ts';
import { openBeside } from './sandbox/open-beside.ts';
import { addOwnOrders, addOwnPets } from './sandbox/own-rows.ts';
import { addPreparedOrders, giveUpPrepared, prepareStore } from './sandbox/prepare-store.ts';
import { replaceStore } from './sandbox/replace-store.ts';
import { recordEvent } from './stores/account-events.ts';
import { countAttempt, countRequests } from './stores/count-attempts.ts';
import { offerSecret } from './stores/deployment-secret.ts';
import { endStore } from './stores/end-store.ts';
import { eraseStore } from './stores/erase-closed-stores.ts';
import { prune, pruneAnswers } from './stores/prune-expired.ts';
import { recordTrial } from './stores/record-trial.ts';
import { makeDeliveries, makeTestDelivery } from './webhooks/make-deliveries.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  rollWebhookSecret,
} from './webhooks/manage-webhooks.ts';
import {
  claimDeliveries,
  hastenDeliveries,
  pruneDeliveries,
  recordAttempts,
  redeliver,
} from './webhooks/send-deliveries.ts';
import type { Verb } from './writer/verb.ts';

/** Everything that can change the data. */
export const verbs: ReadonlyArray<Verb<never, unknown>> = [
  openStore,
  setKnownKey,
  offerSecret,
  createKey,
  revokeKey,
  revokeStoreKey,
  rollKey,
  mintSessionKey,
  recordKeyUse,
  openAccount,
  openAccountStore,
  startSession,
  startKeySession,
  renewSession,
  endSession,
  endOneSession,
  endAllSessions,
  changePassword,
  resetPassword,
  closeAccount,
  eraseStore,
  countAttempt,
  countRequests,
  recordEvent,
  prepareStore,
  giveUpPrepared,
  addPreparedOrders,
  addOwnPets,
  addOwnOrders,
  openBeside,
  endStore,
  replaceStore,
  armFaults,
  drawFault,
  placeOrder,
  cancelOrder,
  shipOrder,
  deliverOrder,
  createPet,
  changePet,
  recordTrial,
  forgetEvents,
  createWebhook,
  changeWebhook,
  rollWebhookSecret,
  deleteWebhook,
  makeDeliveries,
  makeTestDelivery,
  claimDeliveries,
  recordAttempts,
  redeliver,
  hastenDeliveries,
  pruneDeliveries,
  recordRequests,
  forgetRequests,
  prune,
  pruneAnswers,
];
