import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { faultParameters, inputLimits } from '../api/contract.generated.ts';
import { explain } from '../api/explain.ts';
import {
  ALL_OPERATIONS,
  type ArmedFault,
  curlOf,
  disarmFaults,
  type Fault,
  type FaultKind,
  faultDescriptions,
  faultsQuery,
  operations,
  refreshFaults,
  remainingFault,
  statusesOf,
} from '../api/sandbox.ts';
import { plural } from '../format.ts';
import { Field } from './field.tsx';
import { Section } from './page.tsx';
import { Snippets } from './snippets.tsx';
import { ApiError, Failure } from './states.tsx';

const faultKinds = Object.keys(faultParameters) as FaultKind[];
const DEFAULT_STATUS = 503;
const MAX_FAULTS = 20;

/** Lists the armed faults with how often each fired, and arms or disarms them. */
export function ArmedFaults({ origin }: { readonly origin: string }) {
  const armed = useQuery(faultsQuery);
  const faults = armed.data ?? [];
  const disarm = useMutation({ mutationFn: disarmFaults });
  return (
    <Section title="Faults" note="Cleared by a reset or after 24 hours. The console is not affected.">
      {armed.isError && !armed.data ? (
        <Failure error={armed.error} retry={() => armed.refetch()} />
      ) : !armed.data ? (
        <p className="mb-4 text-ink-soft">Loading…</p>
      ) : faults.length === 0 ? (
        <p className="mb-4 text-ink-soft">No faults armed.</p>
      ) : (
        <>
          <ol aria-label="Armed faults" className="mb-4 grid gap-2">
            {faults.map((fault, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: faults have no ID.
              <ArmedRow key={index} item={fault} />
            ))}
          </ol>
          <div className="mb-5">
            <button
              type="button"
              className="button"
              disabled={disarm.isPending}
              onClick={() => disarm.mutate()}
            >
              Disarm all
            </button>
          </div>
          {disarm.error && (
            <div className="mb-5">
              <ApiError explanation={explain(disarm.error)} />
            </div>
          )}
        </>
      )}
      <ArmFault origin={origin} armed={faults} isLoaded={armed.data !== undefined} />
    </Section>
  );
}

function ArmedRow({ item: { operation, fault, parameters, times, fired } }: { readonly item: ArmedFault }) {
  const [[name, value] = []] = Object.entries(parameters ?? {});
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 rounded-2xl border border-line p-3.5">
      <span className="font-mono text-sm">
        {operation} → {fault}
        {value === undefined ? '' : ` ${value}${name === 'ms' ? ' ms' : ''}`}
      </span>
      <span className="text-ink-soft text-sm">
        fired {times !== null ? `${fired} of ${times}` : fired === 1 ? 'once' : plural(fired, 'time')}
      </span>
    </li>
  );
}

function ArmFault({
  origin,
  armed,
  isLoaded,
}: {
  readonly origin: string;
  readonly armed: readonly ArmedFault[];
  /** Whether the armed faults are loaded: arming replaces all of them. */
  readonly isLoaded: boolean;
}) {
  const [operation, setOperation] = useState('v1.cancelOrder');
  const [fault, setFault] = useState<FaultKind>('lost-answer');
  const [code, setCode] = useState(DEFAULT_STATUS);
  const [ms, setMs] = useState('2000');
  const [times, setTimes] = useState('1');
  const parameter = faultParameters[fault];
  const statuses = statusesOf(operation);
  const status = statuses.includes(code) ? code : (statuses.at(-1) ?? DEFAULT_STATUS);
  const rule: Fault = {
    operation,
    fault,
    parameters: parameter === 'code' ? { code: status } : parameter === 'ms' ? { ms: Number(ms) } : {},
    times: times === '' ? null : Number(times),
  };
  // Arming replaces all faults and restarts their counts.
  const all = [...armed.flatMap(remainingFault), rule];
  const arm = useMutation({ mutationFn: () => client.sandbox.setFaults(all), onSuccess: refreshFaults });
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        arm.mutate();
      }}
    >
      <label className="grid gap-1">
        <span className="label">Operation</span>
        <select className="input" value={operation} onChange={(event) => setOperation(event.target.value)}>
          {operations.map((name) => (
            <option key={name} value={name}>
              {name === ALL_OPERATIONS ? '* (all operations)' : name}
            </option>
          ))}
        </select>
      </label>
      <label className="grid gap-1">
        <span className="label">Fault</span>
        <select
          className="input"
          value={fault}
          onChange={(event) => setFault(event.target.value as FaultKind)}
        >
          {faultKinds.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <p className="-mt-3 text-[0.8125rem] text-ink-soft">{faultDescriptions[fault]}</p>
      {parameter === 'code' && (
        <label className="grid gap-1">
          <span className="label">Status</span>
          <select className="input" value={status} onChange={(event) => setCode(Number(event.target.value))}>
            {statuses.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      )}
      {parameter === 'ms' && (
        <Field
          label="Duration (ms)"
          type="number"
          required
          min={0}
          max={inputLimits.ms.maximum}
          value={ms}
          onChange={(event) => setMs(event.target.value)}
        />
      )}
      <Field
        label="Times"
        type="number"
        min={1}
        max={inputLimits.times.maximum}
        value={times}
        onChange={(event) => setTimes(event.target.value)}
        hint="How many times it fires. Leave empty for no limit."
      />
      {arm.error && <ApiError explanation={explain(arm.error)} />}
      <div>
        <button
          type="submit"
          className="button button-primary"
          disabled={!isLoaded || arm.isPending || all.length > MAX_FAULTS}
        >
          Arm fault
        </button>
        {all.length > MAX_FAULTS && (
          <p className="mt-2 text-ink-soft text-sm">You can arm up to {MAX_FAULTS} faults at a time.</p>
        )}
      </div>
      <Snippets
        label="Action"
        snippets={[
          { name: 'Arm with curl', code: curlOf(origin, 'PUT', '/faults', all) },
          { name: 'Disarm with curl', code: curlOf(origin, 'DELETE', '/faults') },
        ]}
      />
    </form>
  );
}
