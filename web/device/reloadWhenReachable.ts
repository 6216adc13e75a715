const retryIntervalMs = 5000

/**
 * Reloads the page once the server responds. Used when code failed to load, because browsers do not
 * retry a failed import. Never resolves.
 */
export function reloadWhenReachable(): Promise<never> {
  setInterval(() => {
    fetch('/version.json', { cache: 'no-store' }).then(
      ({ ok }) => ok && location.reload(),
      () => undefined,
    )
  }, retryIntervalMs)
  return new Promise(() => undefined)
}
