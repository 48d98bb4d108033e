const ENDING: NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGUSR2'];

/** Resolves with the first signal that tells this process to end; the second one ends it on the spot. */
export function untilTold(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let told = false;
    for (const name of ENDING)
      process.on(name, () => {
        if (told) process.exit(130);
        told = true;
        resolve(name);
      });
  });
}
