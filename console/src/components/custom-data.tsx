import { useMutation } from '@tanstack/react-query';
import { type DragEvent, useId, useState } from 'react';
import { type OwnData, parseJson, type ResetInput, writeJson } from '../../../client/src/index.ts';
import { slowClient } from '../api/client.ts';
import { explain } from '../api/explain.ts';
import { saveFile } from '../orders-export.ts';
import { ConfirmReset } from './confirm-reset.tsx';
import { Section } from './page.tsx';
import { ApiError } from './states.tsx';
import { toast } from './toast.tsx';

const example = `{"pets":[{"id":1,"name":"Rex","category":"dog","stock":3}],
 "orders":[{"petId":1,"quantity":2}]}`;

/** Resets the store to custom data, and downloads its data in the same format. */
export function CustomDataSection() {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const [input, setInput] = useState<ResetInput>();
  const id = useId();
  const read = async (file: File | undefined) => {
    if (file) setText(await file.text());
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    void read(event.dataTransfer.files[0]);
  };
  const download = useMutation({ mutationFn: () => slowClient.sandbox.data(), onSuccess: save });
  return (
    <Section title="Custom data" note="Keep your store data in a file next to your tests.">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          try {
            setInput({ data: parseJson(text) as OwnData });
            setProblem(undefined);
          } catch {
            setProblem('This is not valid JSON. Enter an object with pets and orders.');
          }
        }}
      >
        <div className="grid gap-1">
          <label htmlFor={id} className="label">
            Pets and orders (JSON)
          </label>
          <textarea
            id={id}
            className="input min-h-40 font-mono text-sm"
            required
            spellCheck={false}
            wrap="off"
            placeholder={example}
            value={text}
            aria-invalid={problem !== undefined}
            aria-describedby={`${id}-about`}
            onChange={(event) => setText(event.target.value)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={drop}
          />
          <p id={`${id}-about`} className={problem ? 'text-danger text-sm' : 'text-ink-soft text-sm'}>
            {problem ?? 'Paste JSON or drop a file. Up to 10,000 pets and 10,000 orders, 4 MB.'}
          </p>
        </div>
        <div className="flex flex-wrap gap-3">
          <button type="submit" className="button button-danger">
            Reset to this data…
          </button>
          <label className="button has-focus-visible:outline-3 has-focus-visible:outline-accent">
            Choose file
            <input
              type="file"
              accept=".json,application/json"
              className="sr-only"
              onChange={({ target }) => {
                void read(target.files?.[0]);
                // Allows choosing the same file again after it changed.
                target.value = '';
              }}
            />
          </label>
          <button
            type="button"
            className="button"
            disabled={download.isPending}
            onClick={() => download.mutate()}
          >
            Download data
          </button>
        </div>
        {download.isError && <ApiError explanation={explain(download.error)} />}
      </form>
      {input && <ConfirmReset input={input} onClose={() => setInput(undefined)} />}
    </Section>
  );
}

function save(data: OwnData): void {
  saveFile(new Blob([writeJson(data, '  ') ?? ''], { type: 'application/json' }), 'store.json');
  toast('Store data saved to store.json');
}
