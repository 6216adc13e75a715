/**
 * Database of fixes that are not uploaded yet. It holds measurements, not a cache: an update leaves it
 * alone.
 */
export const fixDatabase = 'pitboard.fixes'

/** localStorage key of the app version this device last ran. Not personal data. */
export const versionKey = 'appVersion'

/** localStorage keys of the settings of this device, and of offers that were declined on it. Updates keep them. */
export const settingKeys = {
  sound: 'pitboard.sound',
  voice: 'pitboard.voice',
  voiceName: 'pitboard.voiceName',
  mediaButton: 'pitboard.mediaButton',
  wallKeys: 'pitboard.wallKeys',
  carChoice: 'pitboard.seat',
  practised: 'pitboard.practised',
  installHelp: 'pitboard.install-help',
  emailOffer: 'pitboard.email-offer',
  passkeyOffer: 'pitboard.passkey-offer',
}

/**
 * Deletes this app's data on the device, except the keys and databases for which `stays` returns
 * true. A failing part is logged and the others still run.
 */
export async function clearStored(stays: (key: string) => boolean): Promise<void> {
  const steps: (() => unknown)[] = [
    () => clearStorage(localStorage, stays),
    () => clearStorage(sessionStorage, stays),
    () => deleteDatabases(stays),
  ]
  for (const step of steps) {
    try {
      await step()
    } catch (reason) {
      reportError(reason)
    }
  }
}

function clearStorage(storage: Storage, stays: (key: string) => boolean) {
  for (const key of Object.keys(storage)) if (!stays(key)) storage.removeItem(key)
}

async function deleteDatabases(stays: (name: string) => boolean) {
  // Not supported by every Firefox.
  if (!('databases' in indexedDB)) return
  for (const { name } of await indexedDB.databases()) {
    if (name !== undefined && !stays(name)) await deleteDatabase(name)
  }
}

function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name)
    request.onsuccess = () => resolve()
    // Blocked: a page still has it open, and it is deleted when that page closes.
    request.onblocked = () => resolve()
    request.onerror = () => reject(request.error)
  })
}

/** localStorage key of changes of a plan that the server has not stored. Signing out removes it. */
export const planDraftKey = 'pitboard.planDraft'
