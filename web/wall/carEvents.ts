import type { Answer } from '#contract/answers.ts'
import type { GlassFlag } from '#contract/glass.ts'
import type { LoggedMessage, Message } from '#contract/messages.ts'
import type { Race } from '#contract/races.ts'
import type { Session } from '#contract/sessions.ts'
import { isCompared } from '#racing/race/pace.ts'
import type { ShownLap } from '#web/laps/shownLap.ts'
import { isExpired, pressedAtOf } from '#web/message/delivery.ts'
import { gotItText } from '#web/message/gotItText.ts'
import { mayGoToAll } from '#web/message/useSendToAll.ts'
import { stintDriverName } from '#web/race/driverName.ts'
import { exitFigure } from '#web/race/exitFigure.ts'
import { deltaTenths, deltaText, lapTime, recentAverageMs } from '#web/race/lapFigures.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { answersText } from '#web/text/answers.ts'
import { dataLinkText } from '#web/text/dataLink.ts'
import { messageText } from '#web/text/message.ts'
import { raceClockText } from '#web/text/raceClock.ts'
import { wallText } from '#web/text/wall.ts'
import { tookText } from '#web/ui/ages.ts'
import type { ContactState } from './contact.ts'
import { maxEvents, type WallEvent } from './wallLog.ts'

/** An event of one car, with a key that is unique within the car. */
export type CarEvent = Omit<WallEvent, 'plate'>

const text = wallText.event

/** The current message and its delivery; null before the first one. */
export function messageEvent(message: Omit<Message, 'sentBy'>, expired: boolean): CarEvent | null {
  const { sentAt, shownAt, copiedAt, type, ask, carriedOver, obeyed, byPlan, pressedAt } = message
  if (sentAt === null) return null
  const word = messageText.plate(type)
  const took = (at: number) => tookText(at - (pressedAtOf(message) ?? sentAt))
  const seen = shownAt === null ? (expired ? text.notDelivered : '') : text.shown(took(shownAt))
  const delivery = copiedAt === null ? seen : text.copied(took(copiedAt))
  const isPressed = !ask && !obeyed && !carriedOver && !byPlan
  const isCopied = copiedAt !== null
  return {
    // A message to several phones has a version of each.
    key: `message ${sentAt}`,
    at: sentAt,
    word: ask ? answersText.question(word) : word,
    text:
      (obeyed ? text.obeyed : carriedOver ? text.carriedOver : byPlan ? text.byPlan : '') +
      delivery,
    ...(isPressed &&
      pressedAt !== null &&
      mayGoToAll(type) && {
        toAll: { pressedAt, isShown: isCopied || shownAt !== null, isCopied },
      }),
  }
}

/** The messages and answers of a log, which is newest first. They are not announced: they were before the wall was opened. */
export function loggedEvents(log: readonly LoggedMessage[], nowMs: number): CarEvent[] {
  return log
    .slice(0, maxEvents)
    .flatMap(entry => [
      messageEvent(entry, isExpired(entry, nowMs)),
      ...(entry.answers ?? []).flatMap(answer => [answerEvent(answer), gotItEvent(answer)]),
    ])
    .flatMap(event => (event ? [{ ...event, urgent: false }] : []))
}

/** The official flag on the driver's screen and its receipt; null if the screen shows none. */
export function flagEvent(official: GlassFlag | null): CarEvent | null {
  const word = official?.flag?.trim()
  if (!official || !word) return null
  const { feed, change, since, shownAt } = official
  const receipt = shownAt === null ? '' : text.shown(tookText(Math.max(0, shownAt - since)))
  return {
    key: `flag ${feed} ${change}`,
    at: since,
    lead: text.officialFlag,
    word,
    text: receipt,
  }
}

/** Answers and reports of the driver, named as the driver's: PIT THIS LAP would be an order of the team. */
export function answerEvent({ id, kind, question, receivedAt }: Answer): CarEvent {
  return {
    key: `answer ${id}`,
    at: receivedAt,
    lead: text.byDriver,
    word: answersText.wordBeside(kind),
    // A problem, and its withdrawal, do not answer the question on the screen.
    text:
      question && (kind === 'Yes' || kind === 'No')
        ? text.to(answersText.question(messageText.plate(question.type)))
        : '',
    urgent: kind === 'Problem',
  }
}

/** A member has got the problem of the driver. */
export function gotItEvent({ id, at, gotIt }: Answer): CarEvent | null {
  if (!gotIt) return null
  return {
    key: `got ${id}`,
    at: gotIt.at,
    word: answersText.word('Problem'),
    text: `: ${gotItText(gotIt, at)}`,
  }
}

/** The car was lost, can be reached again, its phone went dark, or the driver left the screen. */
export function contactEvent(state: ContactState, at: number): CarEvent {
  const { offline, online, screenOff, leftScreen } = text
  const word = { offline, online, dark: screenOff, left: leftScreen }[state]
  return { key: `contact ${at}`, at, word, text: '', urgent: state === 'offline' }
}

/** Returns when and by whom the data link was last switched off or on; null if it was never off. */
export function linkEvent(session: Pick<Session, 'dataLinkOff' | 'dataLinkOn'>): CarEvent | null {
  const { dataLinkOff, dataLinkOn } = session
  const last = dataLinkOff ?? dataLinkOn
  if (!last) return null
  const { at, by } = last
  const word = dataLinkOff ? dataLinkText.isOff : dataLinkText.isOnAgain
  return { key: `${word} ${at}`, at, word, text: by === null ? '' : text.by(by) }
}

/** The last laps and their deltas to the average. With a poor receiver the times are approximate, without deltas. */
export function lapEvents(laps: readonly ShownLap[], gpsPoor: boolean): CarEvent[] {
  const average = gpsPoor ? null : recentAverageMs(laps)
  return laps
    .slice(-maxEvents)
    .filter(({ number }) => number > 0)
    .map(lap => ({
      key: `lap ${lap.startedAt}`,
      at: lap.startedAt + lap.timeMs,
      lead: text.lap(String(lap.number)),
      word: lap.isSeen ? lapTime(lap.timeMs, gpsPoor) : text.noTime,
      text:
        average === null || !isCompared(lap)
          ? ''
          : ` ${deltaText(deltaTenths(lap.timeMs, average))}`,
    }))
}

/** The start and the end of the race of the cars. */
export function clockEvents({ id, startedAt, endedAt }: Race): WallEvent[] {
  const event = (word: string, at: number | null) =>
    at === null ? [] : [{ key: `${word} ${id}`, at, plate: wallText.all, word, text: '' }]
  return [...event(raceClockText.start, startedAt), ...event(raceClockText.over, endedAt)]
}

/** Driver changes, and visits to the pits. `isExitAbout`: no pit-out line is known. */
export function raceEvents(race: CarRace, isExitAbout: boolean): CarEvent[] {
  const changes = race.stints.slice(1).map(stint => ({
    key: `stint ${stint.id}`,
    at: stint.from,
    lead: text.driver,
    word: stintDriverName(stint, race),
    text: '',
  }))
  const visits = race.visits.flatMap(visit => {
    const { startedAt, endedAt } = visit
    const exit = exitFigure(race, visit, isExitAbout)
    return [
      { key: `pit-in ${startedAt}`, at: startedAt, word: text.inPits, text: '' },
      ...(endedAt === null
        ? []
        : [
            {
              key: `pit-out ${startedAt}`,
              at: endedAt,
              word: exit?.word ?? text.leftPits,
              text: exit ? `, ${exit.time}` : '',
            },
          ]),
    ]
  })
  return [...changes, ...visits]
}
