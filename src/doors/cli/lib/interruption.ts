let controller: AbortController | undefined;

/** The one signal of this process. The first Ctrl-C aborts it; the second exits at once. */
export function interruption(): AbortSignal {
  if (controller) return controller.signal;
  const made = new AbortController();
  const stop = () => {
    if (made.signal.aborted) process.exit(130);
    made.abort();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  // closing a terminal sends the signal twice, from the terminal and from its shell: that is not an impatient person
  process.on("SIGHUP", () => made.abort());
  controller = made;
  return made.signal;
}
