/** Messages that a page sends to the service worker. It responds to `version` with its build's, on the message's port. */
export type WorkerMessage = 'take-over' | 'sweep' | 'version'

/**
 * Name of the cache with the files of one build, and of the lock that every page of that build holds
 * while it is open. The locks show the service worker which caches are still in use.
 */
export function appCacheName(version: string): string {
  return `pitboard-shell-${version}`
}
