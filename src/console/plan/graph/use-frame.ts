import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { Size } from './arrange.ts';

/** The size of an element, once it is shown. */
export function useFrame(): [RefObject<HTMLDivElement | null>, Size | undefined] {
  const ref = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size>();
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      if (width > 0) setSize({ width, height });
    });
    observer.observe(ref.current!);
    return () => observer.disconnect();
  }, []);
  return [ref, size];
}
