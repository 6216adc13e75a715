/**
 * Returns a function that runs `work` for a feed, once at a time: calls while it runs are joined into one that follows.
 * `onError` receives failures.
 */
export function oncePerFeed(
  work: (feedId: string) => Promise<void>,
  onError: (error: unknown) => void,
): (feedId: string) => void {
  /** Feeds whose work runs; true if it was called again since. */
  const running = new Map<string, boolean>()
  function run(feedId: string) {
    if (running.has(feedId)) return void running.set(feedId, true)
    running.set(feedId, false)
    void work(feedId)
      .catch(onError)
      .finally(() => {
        const isOutdated = running.get(feedId)
        running.delete(feedId)
        if (isOutdated) run(feedId)
      })
  }
  return run
}
