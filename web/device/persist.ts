/** How safe what this app keeps is: the browser promised to keep it, may clear it, or keeps nothing. */
export type Storage = 'persistent' | 'ordinary' | 'none'

/** Asks the browser to keep what the app stores. Some ask the person, so call it in a tap. */
export async function askToKeep(): Promise<Storage> {
  const asked = promiseToKeep()
  try {
    const { tryKeeping } = await import('./fixStore.ts')
    await tryKeeping()
  } catch {
    // Some private windows have a database that cannot be opened, full phones one that takes nothing.
    return 'none'
  }
  return (await asked) ? 'persistent' : 'ordinary'
}

async function promiseToKeep(): Promise<boolean> {
  try {
    return 'storage' in navigator && (await navigator.storage.persist())
  } catch {
    return false
  }
}
