import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Pet } from '../api/store.ts';
import { count, plural } from '../format.ts';
import { type ExportFormat, exportOrders, saveFile } from '../orders-export.ts';
import { Dialog } from './dialog.tsx';
import { DialogForm, submitProps } from './dialog-form.tsx';
import { toast } from './toast.tsx';

const formats: ReadonlyArray<[ExportFormat, string, string]> = [
  ['csv', 'CSV', 'For spreadsheets. Includes pet names.'],
  ['json', 'JSON', 'For programs. An array of orders, as the API returns them.'],
];

/** Exports all orders that match the filters. */
export function ExportOrdersDialog({
  search,
  pets,
  filtered,
  onClose,
}: {
  readonly search: string;
  readonly pets: ReadonlyMap<bigint, Pet>;
  readonly filtered: boolean;
  readonly onClose: () => void;
}) {
  const [format, setFormat] = useState<ExportFormat>('csv');
  const [written, setWritten] = useState(0);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const write = useMutation({
    mutationFn: () =>
      exportOrders({ search, format, pets, signal: stop.current.signal, onProgress: setWritten }),
    onSuccess: ({ file, orders }) => {
      saveFile(file, `orders.${format}`);
      toast(`Exported ${plural(orders, 'order')} to orders.${format}`);
    },
  });
  return (
    <Dialog title="Export orders" onClose={onClose}>
      <DialogForm
        submitLabel={write.isPending ? `Exported ${count(written)}…` : 'Export'}
        {...submitProps(write, onClose)}
        cancelLabel={write.isPending ? 'Stop' : 'Cancel'}
        onCancel={onClose}
      >
        <fieldset className="grid gap-2" disabled={write.isPending}>
          <legend className="mb-2 text-ink-soft">
            {filtered ? 'All orders that match the filters' : 'All orders in the store'}, sorted like the
            list.
          </legend>
          {formats.map(([value, name, about]) => (
            <label
              key={value}
              className="flex items-center gap-3 rounded-2xl border border-line-strong p-3.5 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-3 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name="format"
                className="size-4 accent-accent"
                {...(value === 'csv' ? { 'data-autofocus': true } : {})}
                checked={format === value}
                onChange={() => setFormat(value)}
              />
              <span>
                <span className="block font-semibold">{name}</span>
                <span className="block text-ink-soft text-sm">{about}</span>
              </span>
            </label>
          ))}
        </fieldset>
      </DialogForm>
    </Dialog>
  );
}
