/** What the worker may be told by a page. */
export type WorkerWord = 'take-over' | 'sweep'

/**
 * The cache that holds the files of one build, and the lock that every page of that build holds for
 * as long as it is open: so the worker knows which caches are still needed.
 */
export function shellName(version: string): string {
  return `pitboard-shell-${version}`
}
