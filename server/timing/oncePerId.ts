/**
 * Returns a function that runs `work` for an id, once at a time: calls while it runs are joined into one that follows.
 * `onError` receives failures.
 */
export function oncePerId<Id extends string>(
  work: (id: Id) => Promise<void>,
  onError: (error: unknown, id: Id) => void,
): (id: Id) => void {
  /** Ids whose work runs; true if it was called again since. */
  const running = new Map<Id, boolean>()
  function run(id: Id) {
    if (running.has(id)) return void running.set(id, true)
    running.set(id, false)
    void work(id)
      .catch((error: unknown) => onError(error, id))
      .finally(() => {
        const isOutdated = running.get(id)
        running.delete(id)
        if (isOutdated) run(id)
      })
  }
  return run
}
