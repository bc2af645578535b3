import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ResetInput } from '../../../client/src/index.ts';
import { patientClient } from '../api/client.ts';
import { dataSets } from '../api/contract.generated.ts';
import { refreshStore, storeQueries } from '../api/queries.ts';
import { curlOf, type DataSet, dataSetWords } from '../api/sandbox.ts';
import { count } from '../format.ts';
import { totalOf } from '../ship-buckets.ts';
import { Dialog } from './dialog.tsx';
import { DialogForm, submits } from './dialog-form.tsx';
import { Field } from './field.tsx';
import { Section } from './page.tsx';
import { Snippets } from './snippets.tsx';
import { toast } from './toast.tsx';

/** Chooses what the store shall hold, and shows the call that does the same. */
export function ResetStore({ origin }: { readonly origin: string }) {
  const [dataSet, choose] = useState<DataSet>('default');
  const [seed, setSeed] = useState('1');
  const [orders, setOrders] = useState('10000');
  const [asking, ask] = useState(false);
  const input: ResetInput = {
    dataSet,
    ...(dataSet === 'int64' || dataSet === 'large' ? { seed: Number(seed) } : {}),
    ...(dataSet === 'large' ? { orders: Number(orders) } : {}),
  };
  return (
    <Section title="Reset the store">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          ask(true);
        }}
      >
        <fieldset className="grid gap-2">
          <legend className="mb-2 text-ink-soft">What it shall hold:</legend>
          {dataSets.map((name) => (
            <label
              key={name}
              className="flex items-center gap-3 rounded-2xl border border-line-strong p-3.5 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-3 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name="data-set"
                className="size-4 accent-accent"
                checked={dataSet === name}
                onChange={() => choose(name)}
              />
              <span>
                <span className="block font-semibold">{dataSetWords[name][0]}</span>
                <span className="block text-ink-soft text-sm">{dataSetWords[name][1]}</span>
              </span>
            </label>
          ))}
        </fieldset>
        {dataSet === 'large' && (
          <Field
            label="Orders"
            type="number"
            required
            min={1}
            max={1_000_000}
            value={orders}
            onChange={(event) => setOrders(event.target.value)}
          />
        )}
        {input.seed !== undefined && (
          <Field
            label="Seed"
            type="number"
            required
            min={Number.MIN_SAFE_INTEGER}
            max={Number.MAX_SAFE_INTEGER}
            value={seed}
            onChange={(event) => setSeed(event.target.value)}
            hint="The same seed makes the same orders, byte for byte"
          />
        )}
        <div>
          <button type="submit" className="button button-danger">
            Reset the store…
          </button>
        </div>
      </form>
      <div className="mt-5">
        <Snippets
          snippets={[{ name: 'curl for the reset', code: curlOf(origin, 'POST', '/reset', input) }]}
        />
      </div>
      {asking && <ConfirmReset input={input} onClose={() => ask(false)} />}
    </Section>
  );
}

function ConfirmReset({ input, onClose }: { readonly input: ResetInput; readonly onClose: () => void }) {
  const summary = useQuery(storeQueries.summary()).data;
  const reset = useMutation({
    mutationFn: () => patientClient.sandbox.reset(input),
    onSuccess: async (made) => {
      await refreshStore();
      toast(`The store holds ${count(made.orders)} orders and ${count(made.pets)} pets`);
      onClose();
    },
  });
  return (
    <Dialog title="Reset the store?" onClose={onClose}>
      <DialogForm
        verb={reset.isPending ? 'Resetting…' : 'Reset the store'}
        danger
        {...submits(reset)}
        otherwise="Keep it"
        onCancel={onClose}
      >
        <p className="text-ink-soft">
          You lose{' '}
          <strong className="text-ink">
            {summary
              ? `${count(totalOf(summary.orders))} orders and ${count(summary.stock.length)} pets`
              : 'all orders and pets'}
          </strong>
          , with their history, the idempotency keys and the armed faults. Your API keys keep working. This
          cannot be undone.
        </p>
      </DialogForm>
    </Dialog>
  );
}
