import type { Page } from '@playwright/test'
import type { UnsentFix } from '#client/fixes/unsentFixes.ts'

type Table = 'fixes' | 'sent'

/** Counts the fixes stored on the phone: unsent ones, or those sent but not acknowledged. */
export async function countFixes(phone: Page, table: Table = 'fixes'): Promise<number> {
  return (await fixTimes(phone, table)).length
}

/** Reads the times of the fixes stored on the phone. */
export function fixTimes(phone: Page, table: Table = 'fixes'): Promise<number[]> {
  return phone.evaluate(
    name =>
      new Promise<number[]>((resolve, reject) => {
        const opening = indexedDB.open('pitboard.fixes')
        opening.onerror = () => reject(opening.error)
        // The database does not exist yet and must not be created here.
        opening.onupgradeneeded = () => opening.transaction?.abort()
        opening.onsuccess = () => {
          const db = opening.result
          const reading = db.transaction(name).objectStore(name).getAll()
          reading.onsuccess = () => {
            db.close()
            resolve(reading.result.map(({ at }) => at))
          }
        }
      }).catch(() => []),
    table,
  )
}

/** Adds fixes of this user and session to the phone's unsent fixes. */
export function addFixes(
  phone: Page,
  driven: { userId: string; sessionId: string },
  fixes: readonly UnsentFix[],
): Promise<void> {
  return phone.evaluate(
    storeFixes,
    fixes.map(fix => ({ ...fix, ...driven })),
  )
}

/** Runs in the page. */
export function storeFixes(
  rows: readonly (UnsentFix & { userId: string; sessionId: string })[],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('pitboard.fixes')
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const db = opening.result
      const writing = db.transaction('fixes', 'readwrite')
      writing.onabort = () => reject(writing.error)
      writing.oncomplete = () => {
        db.close()
        resolve()
      }
      try {
        for (const row of rows) writing.objectStore('fixes').put(row)
      } catch (error) {
        reject(error)
      }
    }
  })
}
