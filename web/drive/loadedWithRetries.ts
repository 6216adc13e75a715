const firstWaitMs = 5000
const longestWaitMs = 60_000

/** Loads a part of the app, and tries again after a failure for as long as the page is open. */
export async function loadedWithRetries<Part>(
  load: () => Promise<Part>,
  waitMs = firstWaitMs,
): Promise<Part> {
  try {
    return await load()
  } catch (reason) {
    if (waitMs === firstWaitMs) reportError(reason)
    await new Promise(resolve => setTimeout(resolve, waitMs))
    return loadedWithRetries(load, Math.min(2 * waitMs, longestWaitMs))
  }
}
