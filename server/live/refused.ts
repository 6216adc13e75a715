import type { DownOf, Up } from '#contract/live.ts'
import { Refusal } from '#contract/refusal.ts'
import { isDatabaseAway, isStatementTimeout, isStorageFull } from '../db/errors.ts'

/** The room or receipt that a refused frame was about. */
export type RefusedSubject = Pick<DownOf<'refused'>, 'room' | 'receipt'>

export function subjectOf(up: Up): RefusedSubject {
  if (up.t === 'receipt') return { receipt: { version: up.version, stage: up.stage } }
  return 'room' in up ? { room: up.room } : {}
}

/** Maps an unexpected error to a code for the client. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (isStorageFull(error)) return new Refusal('not-ready', { detail: 'storage-full' })
  if (isStatementTimeout(error)) return new Refusal('too-slow', { detail: 'read-slow' })
  return new Refusal(isDatabaseAway(error) ? 'not-ready' : 'server-error')
}
