import { useState } from 'react'
import type { Run, StoredCarRace } from '#contract/carRaces.ts'
import type { Message } from '#contract/messages.ts'
import { useStoredCarRace } from '#web/race/useStoredCarRace.ts'

/** Another phone, which is in the car instead of this one, or was there last. */
export interface OtherPhone {
  readonly race: StoredCarRace
  /** Its session, and since when it is in the car. */
  readonly sessionId: string
  readonly from: Run['from']
  /** Null while it is in the car. */
  readonly until: Run['until']
  /** True if this phone was in the car before. Otherwise it is new, and waits for its turn. */
  readonly isAfterThis: boolean
}

/**
 * Returns the phone that is in the car of a session instead of this one; null if this one is or may be, and for a message
 * that came since: messages go to the phone in the car. `message` is null until it is known.
 */
export function useOtherPhone(sessionId: string, message: Message | null): OtherPhone | null {
  const { data: race } = useStoredCarRace(sessionId)
  const other = race ? otherPhone(race, sessionId) : null
  const from = other?.from ?? null
  const version = message?.version ?? null
  /** The message that was there before. */
  const [since, setSince] = useState({ from, version })
  if (since.from !== from || (since.version === null && version !== null))
    setSince({ from, version })
  if (!other) return null
  return message?.type != null && isForThis(message, other, since.version) ? null : other
}

/** An order counts for this phone if it came while the page was open, or after the other phone's time in the car. */
function isForThis(message: Message, { from, until }: OtherPhone, since: number | null): boolean {
  const sentAt = message.sentAt ?? 0
  if (until !== null) return sentAt > until
  return since !== null && message.version > since && sentAt > from
}

function otherPhone(race: StoredCarRace, sessionId: string): OtherPhone | null {
  const { runs, unsure } = race
  const last = runs.at(-1)
  if (!last || last.sessionId === null || last.sessionId === sessionId) return null
  if (unsure.includes(sessionId)) return null
  const { from, until } = last
  const isAfterThis = runs.some(run => run.sessionId === sessionId)
  // A phone without a run may be the next one.
  if (until !== null && !isAfterThis) return null
  return { race, sessionId: last.sessionId, from, until, isAfterThis }
}
