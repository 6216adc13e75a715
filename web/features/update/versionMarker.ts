import { versionKey } from '#web/device/stored.ts'

export interface VersionMarker {
  /** Whether the served version is one to change to. */
  isNews(served: string): boolean
}

/**
 * Compares what the server serves with the build that runs and with the version this device was last
 * brought to, as it was when this page opened: another tab may have moved it since. A first visit
 * only stores the version.
 */
export function openMarker(running: string): VersionMarker {
  const stored = storedVersion()
  if (stored === null) storeVersion(running)
  // A reload for this version was made already. If it did not help, as long as some servers still have
  // an older build, a second one would not either.
  let tried = stored ?? running
  return {
    isNews(served) {
      if (served !== running) return served !== tried
      tried = running
      storeVersion(running)
      return false
    },
  }
}

/** The device is being brought to this version. */
export function storeVersion(version: string) {
  try {
    localStorage.setItem(versionKey, version)
  } catch {
    // No storage: the next page compares with what it is itself.
  }
}

function storedVersion(): string | null {
  try {
    return localStorage.getItem(versionKey)
  } catch {
    return null
  }
}
