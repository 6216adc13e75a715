const retryIntervalMs = 5000

let reloading = false

/**
 * Reloads the page once the server responds and no form is open, whose entries would be lost. Used when code
 * failed to load, because browsers do not retry a failed import. Never resolves.
 */
export function reloadWhenReachable(): Promise<never> {
  if (!reloading) setInterval(() => void reloadIfReachable(), retryIntervalMs)
  reloading = true
  return new Promise(() => undefined)
}

async function reloadIfReachable() {
  if (document.querySelector('form')) return
  const answer = await fetch('/version.json', { cache: 'no-store' }).catch(() => null)
  if (answer?.ok && !document.querySelector('form')) location.reload()
}
