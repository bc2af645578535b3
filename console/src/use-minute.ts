import { useEffect, useReducer } from 'react';

/** Re-renders every minute, to keep relative times current. */
export function useMinute(): void {
  const [, tick] = useReducer((minutes: number) => minutes + 1, 0);
  useEffect(() => {
    const timer = setInterval(tick, 60_000);
    return () => clearInterval(timer);
  }, []);
}
