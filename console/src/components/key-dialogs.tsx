import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { account, type Key, type KeyScope, type NewKey, type Overlap } from '../api/console-api.ts';
import { accountLimits } from '../api/contract.generated.ts';
import { refreshKeys } from '../api/queries.ts';
import { relativeTime } from '../format.ts';
import { dayOf } from '../month.ts';
import { DateInput } from './date-input.tsx';
import { Dialog } from './dialog.tsx';
import { DialogForm, submitProps } from './dialog-form.tsx';
import { Field } from './field.tsx';
import { toast } from './toast.tsx';

/** The option that shows a date field. */
const CUSTOM_DATE = -1;

const lifetimes: ReadonlyArray<[days: number, name: string]> = [
  [0, 'No expiration'],
  [7, '7 days'],
  [30, '30 days'],
  [90, '90 days'],
  [365, '1 year'],
  [CUSTOM_DATE, 'Custom date'],
];

const scopes: ReadonlyArray<[KeyScope, string]> = [
  ['full', 'Full access'],
  ['read', 'Read only'],
];

interface NewKeyProps {
  readonly onClose: () => void;
  readonly onCreated: (created: NewKey) => void;
}

export function CreateKeyDialog({ onClose, onCreated }: NewKeyProps) {
  const [name, setName] = useState('');
  const [days, setDays] = useState(0);
  const [customDate, setCustomDate] = useState('');
  const [scope, setScope] = useState<KeyScope>('full');
  const create = useMutation({
    mutationFn: () => account.createKey({ name: name.trim(), scope, expiresAt: expiryOf(days, customDate) }),
    onSuccess: (created) => {
      void refreshKeys();
      onCreated(created);
    },
  });
  return (
    <Dialog title="Create key" onClose={onClose}>
      <DialogForm submitLabel="Create key" {...submitProps(create)} onCancel={onClose}>
        <Field
          label="Name"
          required
          maxLength={accountLimits.keyNameLength}
          autofocus
          value={name}
          onChange={(event) => setName(event.target.value)}
          hint="What uses this key, for example “nightly export”"
        />
        <label className="grid gap-1">
          <span className="label">Permissions</span>
          <select
            className="input"
            value={scope}
            onChange={(event) => setScope(event.target.value as KeyScope)}
          >
            {scopes.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <label className="grid gap-1">
          <span className="label">Expiration</span>
          <select className="input" value={days} onChange={(event) => setDays(Number(event.target.value))}>
            {lifetimes.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
        {days === CUSTOM_DATE && (
          <DateInput
            label="Last valid day (UTC)"
            required
            min={dayOf(Date.now())}
            value={customDate}
            onChange={setCustomDate}
          />
        )}
      </DialogForm>
    </Dialog>
  );
}

function expiryOf(days: number, customDate: string): string | null {
  if (days === CUSTOM_DATE) return `${customDate}T23:59:59Z`;
  return days === 0 ? null : new Date(Date.now() + days * 86_400_000).toISOString();
}

const overlaps: ReadonlyArray<[Overlap, string, string]> = [
  ['now', 'Immediately', 'If the key may have leaked.'],
  ['1h', 'In 1 hour', 'Time to deploy the new key.'],
  ['24h', 'In 24 hours', 'Time for every client to switch.'],
];

export function RollKeyDialog({ item, onClose, onCreated }: NewKeyProps & { readonly item: Key }) {
  const [overlap, setOverlap] = useState<Overlap>('1h');
  const roll = useMutation({
    mutationFn: () => account.rollKey(item.id, overlap),
    onSuccess: (created) => {
      void refreshKeys();
      onCreated(created);
    },
  });
  return (
    <Dialog title={`Roll “${item.name}”?`} onClose={onClose}>
      <DialogForm submitLabel="Roll key" {...submitProps(roll)} onCancel={onClose}>
        <fieldset className="grid gap-2">
          <legend className="mb-2 text-ink-soft">
            This creates a new key with the same name. When should the old key, ending in{' '}
            <span className="font-mono">{item.lastFour}</span>, stop working?
          </legend>
          {overlaps.map(([value, name, reason]) => (
            <label
              key={value}
              className="flex items-center gap-3 rounded-2xl border border-line-strong p-3.5 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-3 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name="overlap"
                className="size-4 accent-accent"
                checked={overlap === value}
                onChange={() => setOverlap(value)}
              />
              <span>
                <span className="block font-semibold">{name}</span>
                <span className="block text-ink-soft text-sm">{reason}</span>
              </span>
            </label>
          ))}
        </fieldset>
      </DialogForm>
    </Dialog>
  );
}

export function RevokeKeyDialog({ item, onClose }: { readonly item: Key; readonly onClose: () => void }) {
  const revoke = useMutation({
    mutationFn: () => account.revokeKey(item.id),
    onSuccess: async () => {
      await refreshKeys();
      toast(`“${item.name}” revoked`);
    },
  });
  return (
    <Dialog title={`Revoke “${item.name}”?`} onClose={onClose}>
      <DialogForm submitLabel="Revoke key" danger {...submitProps(revoke, onClose)} onCancel={onClose}>
        <p className="text-ink-soft">
          Requests with the key ending in <span className="font-mono">{item.lastFour}</span> will be rejected.{' '}
          {item.lastUsedAt ? `It was last used ${relativeTime(item.lastUsedAt)}.` : 'It has never been used.'}{' '}
          This can't be undone.
        </p>
      </DialogForm>
    </Dialog>
  );
}
