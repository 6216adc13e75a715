const retryEveryMs = 5000

/**
 * Reloads the page once the server answers. For code that did not load: browsers do not repeat a
 * failed import. Never resolves.
 */
export function reloadWhenReachable(): Promise<never> {
  setInterval(() => {
    fetch('/version.json', { cache: 'no-store' }).then(
      ({ ok }) => ok && location.reload(),
      () => undefined,
    )
  }, retryEveryMs)
  return new Promise(() => undefined)
}
