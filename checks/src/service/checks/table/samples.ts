import { once } from '../../check.ts';
import type { Context } from '../../context.ts';
import { objectOf } from '../../v2.ts';
import type { Samples } from './operations.ts';

/** A pet, a pending order for it and a webhook, created when they are first needed. */
export const createSamples = ({ v2 }: Context): (() => Promise<Samples>) =>
  once(async () => {
    await v2.require();
    const petId = await v2.newPet(5);
    const order = await v2.place(petId);
    const hook = await v2.send(
      'POST',
      '/webhooks',
      '{"url":"https://receiver.invalid/hook","types":["order.placed"]}',
    );
    const { id: webhookId } = hook.status === 201 ? objectOf(hook, 201) : {};
    if (webhookId !== undefined) v2.onCleanUp(() => v2.send('DELETE', `/webhooks/${webhookId}`));
    return {
      petId: String(petId),
      orderId: String(order.id),
      ...(webhookId !== undefined && { webhookId: String(webhookId) }),
    };
  });
