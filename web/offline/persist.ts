import { probeStorage } from './fixStore.ts'

/**
 * Durability of the app's storage: the browser promised to keep it, may evict it, or stores nothing.
 */
export type Storage = 'persistent' | 'ordinary' | 'none'

/** Requests persistent storage. Some browsers ask the person, so call it in a user gesture. */
export async function requestDurableStorage(): Promise<Storage> {
  const asked = requestPersistence()
  try {
    await probeStorage()
  } catch {
    // In some private windows the database cannot be opened; on a full phone it cannot be written.
    return 'none'
  }
  return (await asked) ? 'persistent' : 'ordinary'
}

async function requestPersistence(): Promise<boolean> {
  try {
    return 'storage' in navigator && (await navigator.storage.persist())
  } catch {
    return false
  }
}
