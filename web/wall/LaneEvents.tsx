import { useEffect, useRef } from 'react'
import type { KnownAnswers } from '#client/channel/sessionAnswers.ts'
import type { Lap } from '#contract/laps.ts'
import type { Session } from '#contract/sessions.ts'
import type { RaceOfSession } from '#contract/stints.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useSecond } from '#web/live/useSecond.ts'
import { isExpired } from '#web/message/delivery.ts'
import { wallText } from '#web/text/wall.ts'
import { answerEvent, lapEvents, messageEvent, raceEvents } from './carEvents.ts'
import { contactOf, type WallContact } from './contact.ts'
import type { WallLog } from './wallLog.ts'

interface Props {
  session: Session
  laps: readonly Lap[]
  gpsPoor: boolean
  /** Undefined while loading. */
  race: RaceOfSession | undefined
  answers: KnownAnswers
  plate: string
  log: WallLog
}

/** Adds the events of a car to the wall's log. Renders nothing. */
export function LaneEvents({ session, laps, gpsPoor, race, answers, plate, log }: Props) {
  useSecond()
  const { id, message } = session
  const channel = useChannel()
  const now = channel.clock.now()
  const { state } = contactOf(channel.session(id), now)
  const expired = isExpired(message, now)
  useEffect(() => {
    const event = messageEvent(message, expired)
    if (event) log.put([{ ...event, key: `${id} ${event.key}`, plate }])
  }, [id, plate, log, message, expired])
  useEffect(() => {
    log.put(lapEvents(laps, gpsPoor).map(event => ({ ...event, key: `${id} ${event.key}`, plate })))
  }, [id, plate, log, laps, gpsPoor])
  useEffect(() => {
    if (!race) return
    log.put(
      raceEvents(session, race).map(event => ({ ...event, key: `${id} ${event.key}`, plate })),
    )
  }, [id, plate, log, session, race])
  const { answer } = answers
  useEffect(() => {
    if (!answer) return
    const event = answerEvent(answer)
    log.put([{ ...event, key: `${id} ${event.key}`, plate }])
  }, [id, plate, log, answer])
  const before = useRef<WallContact['state'] | null>(null)
  useEffect(() => {
    // Before the first snapshot every car seems to be offline.
    const live = channel.session(id).session
    if (!live) return
    // While the data link is off, silence is expected.
    if (!live.dataLink) {
      before.current = null
      return
    }
    const known = before.current
    before.current = state
    if (known === null || known === state) return
    const at = channel.clock.now()
    const { offline, online, screenOff } = wallText.event
    const word = state === 'offline' ? offline : state === 'online' ? online : screenOff
    log.put([
      { key: `${id} contact ${at}`, at, plate, word, text: '', urgent: state === 'offline' },
    ])
  }, [id, plate, log, channel, state])
  return null
}
