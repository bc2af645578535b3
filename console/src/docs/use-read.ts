import { useEffect, useState } from 'react';
import type { Group } from './document.ts';

/** The band near the top of the window that decides which operation is current. */
const READ_HERE = '-20% 0px -75% 0px';

/** The ID of the operation in view, highlighted in the sidebar. */
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
