/** The database of fixes that are not sent yet: measurements, no cache. An update leaves them alone. */
export const fixDatabase = 'pitboard.fixes'

/** Where the version is kept that this device was last brought to: no one's data. */
export const versionKey = 'appVersion'

/**
 * Forgets what this app stored on the device, but for the entries and databases that are to stay. What a browser
 * does not let go of is logged, and the rest goes all the same.
 */
export async function forgetStored(stays: (key: string) => boolean): Promise<void> {
  const parts: (() => unknown)[] = [
    () => forgetLocal(stays),
    () => sessionStorage.clear(),
    () => deleteDatabases(stays),
  ]
  for (const forget of parts) {
    try {
      await forget()
    } catch (reason) {
      reportError(reason)
    }
  }
}

function forgetLocal(stays: (key: string) => boolean) {
  for (const key of Object.keys(localStorage)) if (!stays(key)) localStorage.removeItem(key)
}

async function deleteDatabases(stays: (name: string) => boolean) {
  // Not in every Firefox.
  if (!('databases' in indexedDB)) return
  for (const { name } of await indexedDB.databases()) {
    if (name !== undefined && !stays(name)) await deleteDatabase(name)
  }
}

function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name)
    request.onsuccess = () => resolve()
    // Blocked means that a page still has it open: it is deleted as soon as that closes.
    request.onblocked = () => resolve()
    request.onerror = () => reject(request.error)
  })
}
