const prefix = 'pitboard-page-'

/** Holds a lock with the id of this page until it closes, by which other pages know that it is open. */
export function holdPage(id: string) {
  if (!('locks' in navigator)) return
  const untilClosed = new Promise<never>(() => undefined)
  void navigator.locks.request(prefix + id, () => untilClosed)
}

/** Returns the ids of the pages that are open on this device; none if the browser has no locks. */
export async function openPages(): Promise<ReadonlySet<string>> {
  if (!('locks' in navigator)) return new Set()
  const { held = [] } = await navigator.locks.query()
  const names = held.map(({ name = '' }) => name).filter(name => name.startsWith(prefix))
  return new Set(names.map(name => name.slice(prefix.length)))
}
