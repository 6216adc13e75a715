import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Channel } from '#client/channel/channel.ts'
import { SessionAnswers } from '#client/channel/sessionAnswers.ts'
import { followData } from '#web/api/followData.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { onSecond } from '#web/live/useSecond.ts'
import { isExpired } from '#web/message/delivery.ts'
import { lapsQuery } from '#web/race/useLaps.ts'
import { stintsQuery } from '#web/race/useStints.ts'
import { answerEvent, contactEvent, lapEvents, messageEvent, raceEvents } from './carEvents.ts'
import { contactOf, type WallContact } from './contact.ts'
import { laneName } from './laneName.ts'
import type { WallLog } from './wallLog.ts'

/** Adds the events of a car to the wall's log while its lane is shown, which keeps its laps and race requested. */
export function useCarEvents(log: WallLog, sessionId: string) {
  const channel = useChannel()
  const client = useQueryClient()
  useEffect(() => followCar(log, sessionId, { channel, client }), [log, sessionId, channel, client])
}

function followCar(
  log: WallLog,
  sessionId: string,
  { channel, client }: { channel: Channel; client: QueryClient },
): () => void {
  const answers = new SessionAnswers(channel, sessionId)
  let contact: WallContact['state'] | null = null

  function update() {
    const live = channel.session(sessionId)
    const { session } = live
    if (!session) return
    const { message } = session
    const now = channel.clock.now()
    const table = client.getQueryData(lapsQuery(sessionId).queryKey)
    const race = client.getQueryData(stintsQuery(sessionId).queryKey)
    const known = contact
    // While the data link is off, silence is expected.
    contact = session.dataLink ? contactOf(live, now).state : null
    const hasChanged = known !== null && contact !== null && known !== contact
    const events = [
      messageEvent(message, isExpired(message, now)),
      answers.state.answer && answerEvent(answers.state.answer),
      hasChanged && contact ? contactEvent(contact, now) : null,
      ...lapEvents(table?.laps ?? [], table?.gpsPoor ?? false),
      ...(race ? raceEvents(session, race) : []),
    ]
    const { plate } = laneName(session)
    log.put(
      events
        .filter(event => event !== null)
        .map(event => ({ ...event, key: `${sessionId} ${event.key}`, plate })),
    )
  }

  const undo = [
    channel.follow(sessionId, update),
    answers.onChange(update),
    answers.start(),
    onSecond(update),
    followData(client, lapsQuery(sessionId), update),
    followData(client, stintsQuery(sessionId), update),
  ]
  return () => undo.forEach(each => each())
}
