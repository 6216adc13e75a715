import { driveScreenKey } from '#client/storedKeys.ts'
import type { TextStore } from '#client/textStore.ts'

/** This browser's localStorage. When it is blocked or full, nothing is stored and nothing throws. */
export const textStore = storeIn(() => localStorage)

/** This tab's sessionStorage, which survives a reload of the page, also one by the browser itself. */
export const tabStore = storeIn(() => sessionStorage)
// A link or a URL that the user opens in the tab opens the drive screen again.
if (isOpenedByUser()) tabStore.remove(driveScreenKey)

/** Accessing a blocked storage throws. */
function storeIn(storage: () => Storage): TextStore {
  return {
    read(key) {
      try {
        return storage().getItem(key)
      } catch {
        return null
      }
    },
    write(key, text) {
      try {
        storage().setItem(key, text)
      } catch {
        // Blocked or full.
      }
    },
    remove(key) {
      try {
        storage().removeItem(key)
      } catch {
        // Blocked: nothing was stored either.
      }
    },
  }
}

function isOpenedByUser(): boolean {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return page?.type === 'navigate'
}
