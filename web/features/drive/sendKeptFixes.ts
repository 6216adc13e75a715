import { command } from '#web/api/call.ts'
import { CallRefused } from '#web/api/callRefused.ts'
import { openFixStore } from '#web/device/fixStore.ts'

/** As many as fit into a command: `maxFixes` of the contract. */
const batch = 300

let sending: Promise<void> | null = null

/**
 * Sends what this device kept in a dead zone, oldest first, until nothing is left or the server does
 * not answer. What the server will never take is dropped, and logged. Asked twice, it runs once.
 */
export function sendKeptFixes(): Promise<void> {
  sending ??= sendAll().finally(() => {
    sending = null
  })
  return sending
}

async function sendAll() {
  // Where nothing can be kept there is nothing to send: whoever tries to keep says so.
  const store = await openFixStore().catch(() => null)
  while (store) {
    const kept = await store.next(batch)
    if (!kept) return
    try {
      await command('sessions.storeFixes', kept)
    } catch (reason) {
      if (!(reason instanceof CallRefused) || mayPass(reason)) return
      reportError(new Error(`${kept.fixes.length} fixes were refused: ${reason.code}`))
    }
    await store.remove(kept.sessionId, kept.fixes)
  }
}

function mayPass({ code }: CallRefused): boolean {
  return !['invalid-input', 'not-a-member', 'not-the-driver', 'not-found'].includes(code)
}
