import type { PhoneState } from '#contract/phone.ts'
import { useLost } from '#web/live/useLost.ts'
import { useRunningRace } from '#web/race/racesQuery.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { appText } from '#web/text/app.ts'
import { dataLinkText } from '#web/text/dataLink.ts'
import { messageText } from '#web/text/message.ts'
import { ageText } from '#web/ui/ages.ts'
import { phoneNote } from './phoneNote.ts'
import { phoneNoteText } from './phoneNoteText.ts'
import type { Contact } from './useContact.ts'
import type { WatchedSession } from './useWatchedSession.ts'

interface Facts {
  readonly watched: Pick<WatchedSession, 'session' | 'message' | 'ended' | 'linkOff'>
  readonly contact: Contact
  /** True if this screen has no connection. */
  readonly isLost: boolean
  /** True if the board itself says that the data link is off. */
  readonly isLinkOff: boolean
  /** The race that needs a new session of the car; null without one. */
  readonly otherRace: string | null
  readonly nowMs: number
}

/**
 * Returns what is wrong with the connection to the car, and the most urgent warning; null if nothing is. Faults that
 * hide messages from the driver come first, then a race that needs a new session, then other faults, such as no GPS in
 * the garage. `isReached`: no such fault is known.
 */
export function boardWarnings(facts: Facts) {
  const { watched, contact, isLost, isLinkOff, otherRace, nowMs } = facts
  const known = isLinkOff ? null : warningIn(watched, contact, nowMs)
  const ofCar = isLost ? appText.offline : known
  const race = otherRace && messageText.otherRace(otherRace)
  const isReached = !isLost && contact.online && watched.session?.phone?.presence === 'shown'
  return { ofCar, warning: isReached ? (race ?? ofCar) : (ofCar ?? race), isReached }
}

interface BoardFacts extends Omit<Facts, 'isLost' | 'otherRace'> {
  readonly teamId: string
  readonly race: CarRace | undefined
}

/** Returns the warnings of a car's board, with this screen's connection and the race that runs. */
export function useBoardWarnings({ teamId, race, ...facts }: BoardFacts) {
  const { session, ended } = facts.watched
  const isLost = useLost()
  const running = useRunningRace(teamId, session?.car?.id ?? null)
  const isRaceOver = race?.race != null && race.race.endedAt !== null && !ended
  return boardWarnings({ ...facts, isLost, otherRace: isRaceOver ? (running?.name ?? null) : null })
}

/** Returns what is wrong with the connection to the car; null if nothing is, and after the session. */
function warningIn(
  { session, message, ended, linkOff }: Facts['watched'],
  contact: Contact,
  nowMs: number,
): string | null {
  if (ended || !message) return null
  return linkOff ? dataLinkText.team : phoneWarning(session?.phone ?? null, contact, nowMs)
}

/** Returns the phone's last reported fault with its age, and the time since the last contact if it is silent. */
function phoneWarning(phone: PhoneState | null, contact: Contact, nowMs: number): string | null {
  const note = phoneNote(phone, contact.online)
  const age = note && note.since !== null ? ` ${ageText(nowMs - note.since)}` : ''
  const reason = note && phoneNoteText(note) + age
  if (contact.online) return reason
  const { ageMs } = contact
  const silence = ageMs === null ? messageText.noContact : messageText.lastContact(ageText(ageMs))
  return reason === null ? silence : `${reason}. ${silence}`
}
