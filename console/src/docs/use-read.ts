import { useEffect, useState } from 'react';
import type { Group } from './document.ts';

/** Of the window, the part at its top where the operation stands that is being read. */
const READ_HERE = '-20% 0px -75% 0px';

/** The id of the operation that is being read, which the contents at the side show. */
export function useRead(groups: readonly Group[]): string | undefined {
  const [read, setRead] = useState<string>();
  useEffect(() => {
    const watching = new IntersectionObserver(
      (changes) => {
        for (const { target, isIntersecting } of changes) if (isIntersecting) setRead(target.id);
      },
      { rootMargin: READ_HERE },
    );
    for (const { id } of groups.flatMap(({ operations }) => operations)) {
      const place = document.getElementById(id);
      if (place) watching.observe(place);
    }
    return () => watching.disconnect();
  }, [groups]);
  return read;
}
