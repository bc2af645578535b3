export {
  changePassword,
  closeAccount,
  openAccount,
  openAccountStore,
  resetPassword,
} from './accounts/change-account.ts';
export {
  endAllSessions,
  endOneSession,
  endSession,
  renewSession,
  startSession,
} from './accounts/sessions.ts';
export { forgetEvents } from './events/forget-events.ts';
export { mintSessionKey, startKeySession } from './keys/console-sessions.ts';
export { createKey } from './keys/create-key.ts';
export { recordKeyUse } from './keys/key-use.ts';
export { revokeKey, revokeStoreKey, rollKey } from './keys/roll-and-revoke-key.ts';
export { cancelOrder, deliverOrder, shipOrder } from './orders/change-status.ts';
export { openStore } from './orders/open-store.ts';
export { placeOrder } from './orders/place-order.ts';
export { setKnownKey } from './orders/set-known-key.ts';
export { changePet, createPet } from './pets/save-pet.ts';
export { recordRequests } from './requests/record-requests.ts';
export { armFaults, drawFault } from './sandbox/armed-faults.ts';
export { openBeside } from './sandbox/open-beside.ts';
export { addRows, giveUpPrepared, prepareStore, replaceStore } from './sandbox/replace-store.ts';
export { recordEvent } from './stores/account-events.ts';
export { countAttempt, countRequests } from './stores/count-attempts.ts';
export { offerSecret } from './stores/deployment-secret.ts';
export { endStore, eraseStore } from './stores/end-stores.ts';
export { prune, pruneAnswers } from './stores/prune-expired.ts';
export { recordTrial } from './stores/record-trial.ts';
export {
  claimDeliveries,
  hastenDeliveries,
  makeDeliveries,
  makeTestDelivery,
  recordAttempt,
  redeliver,
} from './webhooks/make-and-claim-deliveries.ts';
export {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  rollWebhookSecret,
} from './webhooks/manage-webhooks.ts';
