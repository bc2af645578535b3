import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { inputLimits } from '../api/contract.generated.ts';
import { unsavedSecret } from '../api/unsaved-secret.ts';
import {
  type EventType,
  eventTypes,
  refreshWebhooks,
  type Webhook,
  type WebhookWithSecret,
} from '../api/webhooks.ts';
import { navigate } from '../router/router.ts';
import { isStaging } from '../theme/show-deployment.ts';
import { Dialog } from './dialog.tsx';
import { DialogForm, submitProps } from './dialog-form.tsx';
import { Field } from './field.tsx';
import { OneTimeSecret } from './one-time-secret.tsx';
import { toast } from './toast.tsx';

interface DialogProps {
  readonly onClose: () => void;
}

/** Adds a webhook, or edits the given one. */
export function WebhookDialog({
  webhook,
  onClose,
  onCreated,
}: DialogProps & { readonly webhook?: Webhook; readonly onCreated?: (created: WebhookWithSecret) => void }) {
  const [url, setUrl] = useState(webhook?.url ?? '');
  // Only staging resets stores.
  const availableTypes = eventTypes.filter((type) => isStaging() || type !== 'store.reset');
  const initialTypes = availableTypes.filter((type) => webhook?.types.includes(type) ?? true);
  const [types, setTypes] = useState<readonly EventType[]>(initialTypes);
  const isAll = types.length === availableTypes.length;
  const save = useMutation({
    mutationFn: async () => {
      // Without `types`, a webhook also receives event types that are added later.
      const isUnchanged = initialTypes.join() === types.join();
      if (webhook)
        return void (await client.webhooks.change(webhook.id, { url, ...(isUnchanged ? {} : { types }) }));
      onCreated?.(await client.webhooks.create({ url, ...(isAll ? {} : { types }) }));
    },
    onSuccess: async () => {
      await refreshWebhooks();
      if (webhook) toast('Webhook updated');
    },
  });
  return (
    <Dialog title={webhook ? 'Edit webhook' : 'Add webhook'} onClose={onClose}>
      <DialogForm
        submitLabel={webhook ? 'Save' : 'Add webhook'}
        {...submitProps(save, webhook && onClose)}
        onCancel={onClose}
      >
        <Field
          label="URL"
          type="url"
          required
          autofocus
          maxLength={inputLimits.url.maxLength}
          placeholder="https://example.com/hook"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          hint="Events are sent here as signed POST requests"
        />
        <fieldset>
          <legend className="label mb-2">Events</legend>
          <div className="flex flex-wrap gap-2">
            {availableTypes.map((type) => (
              <label
                key={type}
                className="relative inline-flex min-h-9 items-center rounded-full border border-line-strong bg-surface px-3.5 font-mono text-[0.8125rem] has-checked:border-accent has-checked:bg-accent-soft has-checked:text-accent has-focus-visible:outline-3 has-focus-visible:outline-accent has-focus-visible:outline-offset-2"
              >
                <input
                  type="checkbox"
                  className="absolute inset-0 cursor-pointer opacity-0"
                  checked={types.includes(type)}
                  onChange={({ target }) =>
                    setTypes(
                      availableTypes.filter((other) =>
                        other === type ? target.checked : types.includes(other),
                      ),
                    )
                  }
                />
                {type}
              </label>
            ))}
          </div>
          <p className="mt-2 min-h-5 text-[0.8125rem] text-ink-soft">
            {types.length === 0
              ? 'Select at least one event.'
              : isAll
                ? 'All events.'
                : 'Only the selected events.'}
          </p>
        </fieldset>
      </DialogForm>
    </Dialog>
  );
}

/** Shows the signing secret once, on any page, until it is saved. */
export function SecretDialog({ created, isRotated }: NonNullable<ReturnType<typeof unsavedSecret.get>>) {
  const [copied, setCopied] = useState(false);
  const onClose = () => {
    unsavedSecret.set(undefined);
    if (!isRotated) navigate(`/webhooks/${created.id}`);
  };
  return (
    <Dialog
      title={isRotated ? 'New signing secret' : 'Signing secret'}
      onClose={onClose}
      {...(!copied && {
        blockedReason: "Copy the secret before you close this. It can't be shown again.",
      })}
      wide
    >
      <div className="grid gap-4">
        <p className="text-ink-soft">
          {isRotated
            ? 'For 24 hours, messages are signed with both secrets, so that you can switch without interruption.'
            : 'Use it to verify that a message comes from Pet Store and was not modified.'}
        </p>
        <OneTimeSecret
          title={created.url}
          text={created.secret}
          name="secret"
          onCopy={() => setCopied(true)}
          about="Store it where your server can read it. It can't be shown again."
        />
        <div className="flex justify-end">
          <button type="button" className="button button-primary" onClick={onClose}>
            I've saved it
          </button>
        </div>
      </div>
    </Dialog>
  );
}

export function RollSecretDialog({
  webhook,
  onClose,
  onCreated,
}: DialogProps & { readonly webhook: Webhook; readonly onCreated: (created: WebhookWithSecret) => void }) {
  const roll = useMutation({
    mutationFn: () => client.webhooks.rollSecret(webhook.id),
    onSuccess: onCreated,
  });
  return (
    <Dialog title="Roll signing secret?" onClose={onClose}>
      <DialogForm submitLabel="Roll secret" {...submitProps(roll)} onCancel={onClose}>
        <p className="text-ink-soft">
          This creates a new secret. For 24 hours, messages are signed with both secrets, then only with the
          new one.
        </p>
      </DialogForm>
    </Dialog>
  );
}

export function DeleteWebhookDialog({
  webhook,
  onClose,
  onDeleted,
}: DialogProps & { readonly webhook: Webhook; readonly onDeleted: () => void }) {
  const remove = useMutation({
    mutationFn: () => client.webhooks.delete(webhook.id),
    onSuccess: () => {
      toast('Webhook deleted');
      void refreshWebhooks();
    },
  });
  return (
    <Dialog title="Delete webhook?" onClose={onClose}>
      <DialogForm
        submitLabel="Delete webhook"
        danger
        {...submitProps(remove, onDeleted)}
        cancelLabel="Keep webhook"
        onCancel={onClose}
      >
        <p className="text-ink-soft [overflow-wrap:anywhere]">
          No more events will be sent to <span className="font-mono text-ink">{webhook.url}</span>. Pending
          deliveries and the delivery log are deleted. This can't be undone. To stop deliveries for a while,
          pause the webhook instead.
        </p>
      </DialogForm>
    </Dialog>
  );
}
