import { useState } from 'react';
import type { ResetInput } from '../../../client/src/index.ts';
import { dataSets, inputLimits } from '../api/contract.generated.ts';
import { curlOf, type DataSet, dataSetLabels } from '../api/sandbox.ts';
import { CodeBlock } from './code-block.tsx';
import { ConfirmReset } from './confirm-reset.tsx';
import { Field } from './field.tsx';
import { Section } from './page.tsx';

/** Resets the store to a data set, and shows the equivalent curl command. */
export function ResetStore({ origin }: { readonly origin: string }) {
  const [dataSet, setDataSet] = useState<DataSet>('default');
  const [seed, setSeed] = useState('1');
  const [orders, setOrders] = useState('10000');
  const [confirming, setConfirming] = useState(false);
  const input: ResetInput = {
    dataSet,
    ...(dataSet === 'int64' || dataSet === 'large' ? { seed: Number(seed) } : {}),
    ...(dataSet === 'large' ? { orders: Number(orders) } : {}),
  };
  return (
    <Section title="Reset store">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          setConfirming(true);
        }}
      >
        <fieldset className="grid gap-2">
          <legend className="mb-2 text-ink-soft">Choose a data set</legend>
          {dataSets.map((name) => (
            <label
              key={name}
              className="flex items-center gap-3 rounded-2xl border border-line-strong p-3.5 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-3 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name="data-set"
                className="size-4 flex-none accent-accent"
                checked={dataSet === name}
                onChange={() => setDataSet(name)}
              />
              <span>
                <span className="block font-semibold">{dataSetLabels[name][0]}</span>
                <span className="block text-ink-soft text-sm">{dataSetLabels[name][1]}</span>
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
            max={inputLimits.orders.maximum}
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
            hint="The same seed generates the same orders, byte for byte"
          />
        )}
        <div>
          <button type="submit" className="button button-danger">
            Reset store…
          </button>
        </div>
      </form>
      <div className="mt-5">
        <CodeBlock
          title="Reset with curl"
          name="Reset with curl snippet"
          text={curlOf(origin, 'POST', '/reset', input)}
        />
      </div>
      {confirming && <ConfirmReset input={input} onClose={() => setConfirming(false)} />}
    </Section>
  );
}
