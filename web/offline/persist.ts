import { probeStorage } from './fixStore.ts'

/**
 * Durability of the app's storage: the browser promised to keep it, may evict it, or stores nothing.
 */
export type Storage = 'persistent' | 'ordinary' | 'none'

/** Returns the durability; `mayAsk` requests persistent storage, for which some browsers ask the person. */
export async function durableStorage(mayAsk: boolean): Promise<Storage> {
  const asked = isPersistent(mayAsk)
  try {
    await probeStorage()
  } catch {
    // In some private windows the database cannot be opened; on a full phone it cannot be written.
    return 'none'
  }
  return (await asked) ? 'persistent' : 'ordinary'
}

async function isPersistent(mayAsk: boolean): Promise<boolean> {
  try {
    const { storage } = navigator
    return (await storage.persisted()) || (mayAsk && (await storage.persist()))
  } catch {
    return false
  }
}
