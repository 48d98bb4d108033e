import { CatchBoundary, type ErrorComponentProps } from '@tanstack/react-router';
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect } from 'react';
import { Failure } from './failure.tsx';

const AGAIN_MS = 3_000;
const NOT_LOADED = new Error(
  'This part of the console could not be loaded: Holdpoint does not answer, or is another version by now. It is tried again; reload the page if that does not help.',
);

/** A part of a page whose code comes when it is wanted; without it the rest of the page stays, and it comes when it can. */
export function part<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  meanwhile: ReactNode = <p className="muted">Loading …</p>,
): ComponentType<Props> {
  const begin = () =>
    lazy<ComponentType<Props>>(() =>
      load().catch(() => {
        throw NOT_LOADED;
      }),
    );
  let Loaded = begin();

  function Failed({ error, reset }: ErrorComponentProps) {
    useEffect(() => {
      if (error !== NOT_LOADED) return;
      const timer = setInterval(() => void load().then(again, () => {}), AGAIN_MS);
      return () => clearInterval(timer);
    });
    // React keeps that it has failed, so it takes another component.
    const again = () => {
      Loaded = begin();
      reset();
    };
    return <Failure error={error} retry={again} />;
  }

  return function Part(props: Props) {
    return (
      <CatchBoundary getResetKey={() => 'part'} errorComponent={Failed}>
        <Suspense fallback={meanwhile}>
          <Loaded {...props} />
        </Suspense>
      </CatchBoundary>
    );
  };
}
