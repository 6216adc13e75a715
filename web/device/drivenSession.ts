import { drivenSessionKey } from '#client/storedKeys.ts'
import { isRecord, readJson } from '#client/textStore.ts'
import { textStore } from './textStore.ts'

/** A session whose drive screen was opened on this device, with its team. */
interface DrivenSession {
  readonly teamId: string
  readonly sessionId: string
}

/** Returns the session that this device drives, as far as it knows; null without one. */
export function drivenSession(): DrivenSession | null {
  const stored = readJson(textStore, drivenSessionKey)
  if (!isRecord(stored)) return null
  const { teamId, sessionId } = stored
  return typeof teamId === 'string' && typeof sessionId === 'string' ? { teamId, sessionId } : null
}

export function storeDrivenSession(driven: DrivenSession) {
  textStore.write(drivenSessionKey, JSON.stringify(driven))
}

/** Forgets a session that has ended or has another driver. */
export function forgetDrivenSession(sessionId: string) {
  if (drivenSession()?.sessionId === sessionId) textStore.remove(drivenSessionKey)
}
