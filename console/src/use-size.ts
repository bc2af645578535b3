import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size of an element in pixels, for SVG that fits without scaling its text. */
export function useSize<T extends HTMLElement>(): [RefObject<T | null>, Size] {
  const element = useRef<T>(null);
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const measured = element.current;
    if (!measured) return;
    const measure = () => setSize({ width: measured.clientWidth, height: measured.clientHeight });
    const observer = new ResizeObserver(measure);
    measure();
    observer.observe(measured);
    return () => observer.disconnect();
  }, []);
  return [element, size];
}
