import { createKey } from '../keys/create-key.ts';
import { revokeKey } from '../keys/revoke-key.ts';
import { cancelOrder } from '../orders/cancel-order.ts';
import { deliverOrder } from '../orders/deliver-order.ts';
import { placeOrder } from '../orders/place-order.ts';
import { shipOrder } from '../orders/ship-order.ts';
import { changePet } from '../pets/change-pet.ts';
import { createPet } from '../pets/create-pet.ts';
import { openStore } from '../stores/open-store.ts';
import { offerSecret } from '../stores/secrets.ts';

/** Everything that can change the data, by name. A verb refuses before its first write, or succeeds whole. */
export const verbs = {
  openStore,
  offerSecret,
  createKey,
  revokeKey,
  placeOrder,
  cancelOrder,
  shipOrder,
  deliverOrder,
  createPet,
  changePet,
};

export type VerbName = keyof typeof verbs;
export type ArgsOf<V extends VerbName> = Parameters<(typeof verbs)[V]>[1];
export type ResultOf<V extends VerbName> = Awaited<ReturnType<(typeof verbs)[V]>>;

/** A change waiting to be made: plain data, so that it can cross to another thread. */
export interface Command {
  readonly verb: VerbName;
  readonly args: { readonly at: bigint; readonly storeId?: bigint };
}
