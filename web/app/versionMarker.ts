import { versionKey } from '#web/device/stored.ts'

export interface VersionMarker {
  /** Whether to update to the served version. */
  isNew(served: string): boolean
}

/**
 * Compares the served version with the running build, and with the version that this device was being updated to when
 * this page opened (another tab may store another one since). A first visit only stores the version.
 */
export function openMarker(running: string): VersionMarker {
  const stored = storedVersion()
  if (stored === null) storeVersion(running)
  // A reload for this version got the old build: some servers still serve it, and a second reload would not help either.
  let reloadedFor = stored === running ? null : stored
  return {
    isNew(served) {
      if (served !== running) return served !== reloadedFor
      reloadedFor = null
      storeVersion(running)
      return false
    },
  }
}

/** Stores the version that this device is being updated to. */
export function storeVersion(version: string) {
  try {
    localStorage.setItem(versionKey, version)
  } catch {
    // No storage: the next page compares with its own build.
  }
}

function storedVersion(): string | null {
  try {
    return localStorage.getItem(versionKey)
  } catch {
    return null
  }
}
