import { useMutation, useQuery } from '@tanstack/react-query';
import { disarmFaults, faultsQuery, remainingFault } from '../api/sandbox.ts';
import { plural } from '../format.ts';
import { Link } from '../router/link.tsx';
import { toast } from './toast.tsx';

const POLL_MS = 5_000;

/** Shown on every staging page while faults are armed, with a link and a button to disarm them. */
export function ArmedChip() {
  const armed = useQuery({ ...faultsQuery, refetchInterval: POLL_MS }).data?.flatMap(remainingFault) ?? [];
  const disarm = useMutation({
    mutationFn: disarmFaults,
    onSuccess: () => toast('Faults disarmed'),
    onError: () => toast("Couldn't disarm the faults. Try again.", 'warning'),
  });
  if (armed.length === 0) return null;
  return (
    <p className="flex items-center gap-2 whitespace-nowrap rounded-full bg-on-band py-0.5 pr-1 pl-3 font-semibold text-[0.8125rem] text-band">
      <Link to="/sandbox" className="hover:underline">
        {plural(armed.length, 'fault')}
        <span className="max-[23rem]:sr-only"> armed</span>
      </Link>
      <button
        type="button"
        className="rounded-full bg-band px-2 text-on-band hover:underline"
        disabled={disarm.isPending}
        onClick={() => disarm.mutate()}
      >
        Disarm
      </button>
    </p>
  );
}
