/** How safe what this app keeps is: the browser promised to keep it, may clear it, or keeps nothing. */
export type Storage = 'persistent' | 'ordinary' | 'none'

/** Asks the browser to keep what the app stores. Some ask the person, so call it in a tap. */
export async function askToKeep(): Promise<Storage> {
  // Private windows of some browsers have neither.
  if (!('indexedDB' in window) || !('storage' in navigator)) return 'none'
  try {
    return (await navigator.storage.persist()) ? 'persistent' : 'ordinary'
  } catch {
    return 'ordinary'
  }
}
