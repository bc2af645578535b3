import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { unsavedSecret } from '../api/unsaved-secret.ts';
import {
  type EventType,
  eventTypes,
  refreshWebhooks,
  type Webhook,
  type WebhookWithSecret,
} from '../api/webhooks.ts';
import { navigate } from '../router/router.ts';
import { Dialog } from './dialog.tsx';
import { DialogForm, submits } from './dialog-form.tsx';
import { Field } from './field.tsx';
import { OneTimeSecret } from './one-time-secret.tsx';
import { toast } from './toast.tsx';

interface Closing {
  readonly onClose: () => void;
}

/** Adds a webhook, or changes the one that is given. */
export function WebhookDialog({
  webhook,
  onClose,
  onMade,
}: Closing & { readonly webhook?: Webhook; readonly onMade?: (made: WebhookWithSecret) => void }) {
  const [url, setUrl] = useState(webhook?.url ?? '');
  const before = eventTypes.filter((type) => webhook?.types.includes(type) ?? true);
  const [types, setTypes] = useState<readonly EventType[]>(before);
  const isAll = types.length === eventTypes.length;
  const save = useMutation({
    mutationFn: async () => {
      // A webhook for everything is made by not naming any type: then what is new one day is sent too.
      const isSame = before.join() === types.join();
      if (webhook)
        return void (await client.webhooks.change(webhook.id, { url, ...(isSame ? {} : { types }) }));
      onMade?.(await client.webhooks.create({ url, ...(isAll ? {} : { types }) }));
    },
    onSuccess: async () => {
      await refreshWebhooks();
      if (webhook) toast('The webhook is changed');
    },
  });
  return (
    <Dialog title={webhook ? 'Edit the webhook' : 'Add a webhook'} onClose={onClose}>
      <DialogForm
        verb={webhook ? 'Save' : 'Add webhook'}
        {...submits(save, webhook && onClose)}
        onCancel={onClose}
      >
        <Field
          label="Address"
          type="url"
          required
          autofocus
          maxLength={2000}
          placeholder="https://example.com/hook"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          hint="Each event is posted there, signed, moments after it happened"
        />
        <fieldset>
          <legend className="label mb-2">Which events</legend>
          <div className="flex flex-wrap gap-2">
            {eventTypes.map((type) => (
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
                      eventTypes.filter((other) => (other === type ? target.checked : types.includes(other))),
                    )
                  }
                />
                {type}
              </label>
            ))}
          </div>
          <p className="mt-2 min-h-5 text-[0.8125rem] text-ink-soft">
            {types.length === 0 ? 'Choose at least one.' : isAll ? 'All of them.' : 'Only the chosen ones.'}
          </p>
        </fieldset>
      </DialogForm>
    </Dialog>
  );
}

/** Shows the secret that signs, this one time: it stays on every page until somebody says that it is saved. */
export function SecretDialog({ made, isRolled }: NonNullable<ReturnType<typeof unsavedSecret.get>>) {
  const [copied, setCopied] = useState(false);
  const onClose = () => {
    unsavedSecret.set(undefined);
    if (!isRolled) navigate(`/webhooks/${made.id}`);
  };
  return (
    <Dialog
      title={isRolled ? 'The new secret' : 'The secret of your webhook'}
      onClose={onClose}
      {...(!copied && {
        stays: 'Copy the secret first: it is shown this one time, and nobody can show it again.',
      })}
      wide
    >
      <div className="grid gap-4">
        <p className="text-ink-soft">
          {isRolled
            ? 'For 24 hours the old secret signs too, so that receivers can change over without missing anything.'
            : 'With it your receiver can tell that a message is ours, and that nobody changed it on the way.'}
        </p>
        <OneTimeSecret
          title={made.url}
          text={made.secret}
          name="secret"
          onCopy={() => setCopied(true)}
          about="Keep it where your receiver can read it: it is shown this one time."
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
  onMade,
}: Closing & { readonly webhook: Webhook; readonly onMade: (made: WebhookWithSecret) => void }) {
  const roll = useMutation({ mutationFn: () => client.webhooks.rollSecret(webhook.id), onSuccess: onMade });
  return (
    <Dialog title="Roll the secret?" onClose={onClose}>
      <DialogForm verb="Roll secret" {...submits(roll)} onCancel={onClose}>
        <p className="text-ink-soft">
          You get a new secret. For 24 hours each message carries the signatures of both, then only that of
          the new one.
        </p>
      </DialogForm>
    </Dialog>
  );
}

export function DeleteWebhookDialog({
  webhook,
  onClose,
  onGone,
}: Closing & { readonly webhook: Webhook; readonly onGone: () => void }) {
  const remove = useMutation({
    mutationFn: () => client.webhooks.delete(webhook.id),
    onSuccess: () => {
      toast('The webhook is deleted');
      void refreshWebhooks();
    },
  });
  return (
    <Dialog title="Delete the webhook?" onClose={onClose}>
      <DialogForm
        verb="Delete webhook"
        danger
        {...submits(remove, onGone)}
        otherwise="Keep it"
        onCancel={onClose}
      >
        <p className="text-ink-soft [overflow-wrap:anywhere]">
          Nothing more is sent to <span className="font-mono text-ink">{webhook.url}</span>. What was still to
          be sent, and the list of what was, are forgotten. This cannot be undone; a pause can.
        </p>
      </DialogForm>
    </Dialog>
  );
}
