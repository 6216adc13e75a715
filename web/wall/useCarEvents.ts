import { useEffect, useEffectEvent, useRef } from 'react'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { onSecond } from '#web/live/useSecond.ts'
import { isExpired } from '#web/message/delivery.ts'
import { laneName } from '#web/message/laneName.ts'
import { isAbout } from '#web/race/useExit.ts'
import {
  answerEvent,
  type CarEvent,
  contactEvent,
  flagEvent,
  gotItEvent,
  lapEvents,
  linkEvent,
  messageEvent,
  raceEvents,
} from './carEvents.ts'
import type { CarMessage } from './carMessage.ts'
import { contactOf, isContactEvent, type WallContact } from './contact.ts'
import type { LanePhone } from './useLanePhones.ts'
import type { CarLane } from './useLanes.ts'
import type { WallLog } from './wallLog.ts'

interface Car extends Pick<CarMessage, 'message'> {
  lane: CarLane
  phones: readonly LanePhone[]
}

/** A contact must be lost for this time: if this screen is offline, it knows that within it. */
const settleMs = 3000

interface Contact extends Pick<WallContact, 'state'> {
  readonly sessionId: string
}

/** Adds the events of a car to the wall's log: when something changes, and each second because contacts are lost. */
export function useCarEvents(log: WallLog, { lane, phones, message }: Car) {
  const channel = useChannel()
  /** The last contact to the phone in the car; null while silence is expected. */
  const contact = useRef<Contact | null>(null)
  /** While this screen is offline, and until it has the state of the cars again, it knows nothing about them. */
  const knowsFrom = useRef(0)
  const update = useEffectEvent(() => {
    const { id: sessionId } = lane.session
    const live = channel.session(sessionId)
    if (!live.session) return
    const now = channel.clock.now()
    if (channel.connectionState.status !== 'open') knowsFrom.current = now + settleMs
    const before = contact.current
    // The first contact is no event: the lane appears with it.
    const hasContact = live.lastContactAt !== null
    const knows = now >= knowsFrom.current
    const current =
      knows && live.session.dataLink && hasContact
        ? { sessionId, state: contactOf(live, now - settleMs).state }
        : null
    contact.current = current
    const hasChanged =
      before?.sessionId === sessionId && current && isContactEvent(before.state, current.state)
    const events = [
      linkEvent(live.session),
      messageEvent(message, isExpired(message, now)),
      flagEvent(live.official?.flag ?? null),
      ...phones.map(({ answers }) => answers.answer && answerEvent(answers.answer)),
      ...phones.map(({ answers }) => answers.problem && gotItEvent(answers.problem)),
      hasChanged ? contactEvent(current.state, now) : null,
    ].filter(event => event !== null)
    const derived = lane.race && [
      ...lapEvents(lane.race.laps, lane.table?.gpsPoor ?? false),
      ...raceEvents(lane.race, isAbout(lane.table)),
    ]
    const { plate } = laneName(live.session)
    const named = (event: CarEvent) => ({ ...event, key: `${lane.id} ${event.key}`, plate })
    log.put(lane.id, events.map(named), derived?.map(named))
  })
  useEffect(() => update(), [lane, phones, message])
  useEffect(() => onSecond(() => update()), [])
}
