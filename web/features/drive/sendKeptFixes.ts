import type { Fix } from '#contract/positions.ts'
import { command, read } from '#web/api/call.ts'
import { CallRefused } from '#web/api/callRefused.ts'
import type { Driven } from '#web/device/fixDatabase.ts'
import { forgetKept, nextKept, takeBackSent } from '#web/device/fixStore.ts'

/** As many as fit into a command: `maxFixes` of the contract. */
const batch = 300

let sending: Promise<void> | null = null
let tookBack = false

/**
 * Sends what this device kept of the signed-in user, oldest first, until nothing is left or the server
 * does not answer. What the server will never take is dropped, and logged. Asked twice, it runs once.
 */
export function sendKeptFixes(userId: string): Promise<void> {
  sending ??= sendAll(userId).finally(() => {
    sending = null
  })
  return sending
}

async function sendAll(userId: string) {
  // What a page before this one had on its way when it was closed or died.
  if (!tookBack) await takeBackSent().catch(() => undefined)
  tookBack = true
  for (;;) {
    // Where nothing can be kept there is nothing to send: whoever tries to keep says so.
    const kept = await nextKept(userId, batch).catch(() => null)
    if (!kept || !(await settle(kept.driven, kept.fixes))) return
  }
}

/** Sends some of one session. True when they need not be kept any more: stored, or never to be. */
async function settle(driven: Driven, fixes: readonly Fix[]): Promise<boolean> {
  const { sessionId, userId } = driven
  try {
    await command('sessions.storeFixes', { sessionId, fixes: [...fixes] })
  } catch (reason) {
    if (!(reason instanceof CallRefused) || mayPass(reason)) return false
    // Another person may have signed in meanwhile: then it is them who may not.
    if ((await signedIn()) !== userId) return false
    if (reason.code === 'invalid-input' && fixes.length > 1) {
      // One that is bad must not take the others with it.
      const half = Math.ceil(fixes.length / 2)
      return (
        (await settle(driven, fixes.slice(0, half))) && (await settle(driven, fixes.slice(half)))
      )
    }
    reportError(new Error(`${fixes.length} fixes were refused: ${reason.code}`))
  }
  await forgetKept(driven, fixes)
  return true
}

function mayPass({ code }: CallRefused): boolean {
  return !['invalid-input', 'not-a-member', 'not-the-driver', 'not-found'].includes(code)
}

async function signedIn(): Promise<string | null> {
  const answer = await read('auth.login', {}).catch(() => null)
  return answer?.login?.user.id ?? null
}
