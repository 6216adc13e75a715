/** Which app version this device last ran: no one's data, and the update check needs it. */
const versionKey = 'appVersion'

/** Forgets what this app keeps on the device about a person. The app itself stays installed. */
export async function clearDevice() {
  const version = localStorage.getItem(versionKey)
  localStorage.clear()
  sessionStorage.clear()
  if (version !== null) localStorage.setItem(versionKey, version)
  for (const { name } of await indexedDB.databases()) {
    if (name !== undefined) await deleteDatabase(name)
  }
}

function deleteDatabase(name: string): Promise<void> {
  return new Promise(resolve => {
    const request = indexedDB.deleteDatabase(name)
    request.onsuccess = () => resolve()
    // Blocked means that a page still has it open: it is deleted as soon as that closes.
    request.onblocked = () => resolve()
    request.onerror = () => resolve()
  })
}
