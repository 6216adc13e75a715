import type { LiveSession } from '#client/channel/sessionState.ts'
import { worstAccuracyM } from '#contract/shared/fix.ts'
import { isDriverOnline } from '#contract/shared/liveRules.ts'
import { currentStop } from '#racing/race/currentStop.ts'
import { phoneNote } from '#web/message/phoneNote.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { type StopFigure, stopFigure } from '#web/race/stopFigure.ts'
import { dataLinkText } from '#web/text/dataLink.ts'
import { wallText } from '#web/text/wall.ts'
import { counterText, tookText } from '#web/ui/ages.ts'
import { wholeNumber } from '#web/ui/wholeNumber.ts'

/** The contact to a car: `dark` if its phone shows nothing although it answers, `left` if the driver left the screen. */
export type ContactState = 'online' | 'dark' | 'left' | 'offline'

export interface WallContact {
  readonly state: ContactState
  readonly text: string
  /** The fault of a phone that is online, with a leading comma. */
  readonly fault?: string
}

/** Returns whether the contact has changed. A phone that comes back first has the state with which it was lost. */
export function isContactEvent(before: ContactState, current: ContactState): boolean {
  return before !== current && !(before === 'offline' && current === 'left')
}

/** The contact to a car and its age; with the clock of its pit stop while it is in the pits. */
export function contactOf(
  live: LiveSession,
  now: number,
  race?: CarRace,
  /** The screen itself is offline: it does not know whether the car is. */
  isLost = false,
): WallContact {
  if (isLost) return lastDataOf(live, now)
  const contact = phoneContact(live, now)
  if (!race || contact.state === 'offline') return contact
  // Its positions do not count in a race that has started since.
  if (race.race && race.race.endedAt !== null)
    return { ...contact, text: wallText.isOver(race.race.name) }
  const stop = currentStop(race, now)
  return stop ? { ...contact, text: pitText(stopFigure(stop, now)) } : contact
}

function lastDataOf({ session, lastContactAt }: LiveSession, now: number): WallContact {
  const at = lastContactAt ?? session?.lastDriverContactAt ?? null
  const text = at === null ? wallText.offlineNever : wallText.lastData(counterText(now - at))
  return { state: 'dark', text }
}

function phoneContact({ session, fix, lastContactAt }: LiveSession, now: number): WallContact {
  if (session && !session.dataLink) return { state: 'offline', text: dataLinkText.team }
  const lastAt = lastContactAt ?? session?.lastDriverContactAt ?? null
  const { presence, presenceSince } = session?.phone ?? {}
  if (lastAt === null) return { state: 'offline', text: wallText.offlineNever }
  const ageMs = Math.max(0, now - lastAt)
  const isOnline = isDriverOnline(lastAt, now)
  if (presence === 'leaving')
    return { state: isOnline ? 'left' : 'offline', text: wallText.left(since(presenceSince, now)) }
  if (!isOnline) return { state: 'offline', text: wallText.offline(tookText(ageMs)) }
  if (presence === 'hidden')
    return { state: 'dark', text: wallText.screenOff(since(presenceSince, now)) }
  const isPoor = fix?.ac != null && fix.ac > worstAccuracyM
  const note = phoneNote(session?.phone ?? null, true)
  const isKnown = note && (!isPoor || note.what === 'approximate')
  const gps = isPoor ? wallText.gps(wholeNumber(Math.round(fix.ac ?? 0))) : ''
  const fault = isKnown ? wallText.phoneNote[note.what] : gps
  return { state: 'online', text: wallText.online(tookText(ageMs)), ...(fault && { fault }) }
}

function pitText({ inPits, isDone, rest }: StopFigure): string {
  const text = wallText.inPits(inPits)
  if (!rest) return text
  return isDone
    ? `${text}, ${rest.value}`
    : wallText.inPitsUntil(text, rest.name.toLowerCase(), rest.value)
}

function since(at: number | undefined, now: number): string {
  return tookText(Math.max(0, now - (at ?? now)))
}
