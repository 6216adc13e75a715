import type { Answer } from '#contract/answers.ts'
import type { Lap } from '#contract/laps.ts'
import type { Message } from '#contract/messages.ts'
import type { Session } from '#contract/sessions.ts'
import type { RaceOfSession } from '#contract/stints.ts'
import { tookText } from '#web/message/ages.ts'
import { stintDriverName } from '#web/race/driverName.ts'
import {
  deltaTenths,
  deltaText,
  isCompared,
  lapTime,
  recentAverageMs,
} from '#web/race/lapFigures.ts'
import { answersText } from '#web/text/answers.ts'
import { messageText } from '#web/text/message.ts'
import { wallText } from '#web/text/wall.ts'
import type { WallContact } from './contact.ts'
import type { WallEvent } from './wallLog.ts'

/** An event of one car, with a key that is unique within the car. */
export type CarEvent = Omit<WallEvent, 'plate'>

/** Laps, stints and visits to the pits that are listed when the wall opens. */
const listedAtFirst = 5

const text = wallText.event

/** The current message and its delivery; null before the first one. */
export function messageEvent(message: Message, expired: boolean): CarEvent | null {
  const { version, sentAt, pressedAt, shownAt, copiedAt, type, ask } = message
  if (sentAt === null) return null
  const word = messageText.plate(type)
  const took = shownAt === null ? '' : text.onScreen(tookText(shownAt - (pressedAt ?? sentAt)))
  const isUndelivered = shownAt === null && expired
  return {
    key: `message ${version}`,
    at: sentAt,
    word: ask ? answersText.question(word) : word,
    text: copiedAt !== null ? text.acknowledged : isUndelivered ? text.notDelivered : took,
  }
}

/** Answers and reports of the driver. */
export function answerEvent({ id, kind, question, receivedAt }: Answer): CarEvent {
  return {
    key: `answer ${id}`,
    at: receivedAt,
    word: answersText.word(kind),
    text: question ? text.to(answersText.question(messageText.plate(question.type))) : '',
    urgent: kind === 'Problem',
  }
}

/** The car was lost, can be reached again, or its phone went dark. */
export function contactEvent(state: WallContact['state'], at: number): CarEvent {
  const { offline, online, screenOff } = text
  const word = { offline, online, dark: screenOff }[state]
  return { key: `contact ${at}`, at, word, text: '', urgent: state === 'offline' }
}

/** The last laps and their deltas to the average. With a poor receiver the times are approximate, without deltas. */
export function lapEvents(laps: readonly Lap[], gpsPoor: boolean): CarEvent[] {
  return laps
    .slice(-listedAtFirst)
    .filter(({ number }) => number > 0)
    .map(lap => ({
      key: `lap ${lap.number}`,
      at: lap.startedAt + lap.timeMs,
      lead: text.lap(String(lap.number)),
      word: lap.isSeen ? lapTime(lap.timeMs, gpsPoor) : wallText.noTime,
      text: gpsPoor ? '' : deltaOf(lap, laps),
    }))
}

function deltaOf(lap: Lap, laps: readonly Lap[]): string {
  const average = recentAverageMs(laps)
  if (average === null || !isCompared(lap)) return ''
  return ` ${deltaText(deltaTenths(lap.timeMs, average))}`
}

/** Driver changes, and visits to the pits. */
export function raceEvents(
  session: Pick<Session, 'driver'>,
  race: Pick<RaceOfSession, 'stints' | 'drivers' | 'pitVisits'>,
): CarEvent[] {
  const changes = race.stints.slice(1).map(({ id, driverId, from }) => ({
    key: `stint ${id}`,
    at: from,
    lead: text.driver,
    word: stintDriverName(driverId, session, race),
    text: '',
  }))
  const visits = race.pitVisits.flatMap(({ startedAt, endedAt }) => [
    { key: `pit-in ${startedAt}`, at: startedAt, word: text.inPits, text: '' },
    ...(endedAt === null
      ? []
      : [{ key: `pit-out ${startedAt}`, at: endedAt, word: text.leftPits, text: '' }]),
  ])
  return [...changes.slice(-listedAtFirst), ...visits.slice(-2 * listedAtFirst)]
}
