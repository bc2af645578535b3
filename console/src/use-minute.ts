import { useEffect, useReducer } from 'react';

/** Renders again each minute: "just now" does not stay on a page that is left open. */
export function useMinute(): void {
  const [, tick] = useReducer((minutes: number) => minutes + 1, 0);
  useEffect(() => {
    const timer = setInterval(tick, 60_000);
    return () => clearInterval(timer);
  }, []);
}
