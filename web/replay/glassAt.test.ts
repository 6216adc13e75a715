import { expect, test } from 'vitest'
import type { LoggedMessage } from '#contract/messages.ts'
import { glassAt, glassChanges, glassStateAt, problemAt } from './glassAt.ts'

function message(version: number, values: Partial<LoggedMessage>): LoggedMessage {
  return {
    version,
    type: 'Pit',
    pressedAt: null,
    sentAt: version * 1000,
    sentBy: null,
    reachedAt: null,
    shownAt: null,
    copiedAt: null,
    expiresAt: null,
    ...values,
  }
}

function typesAt(log: LoggedMessage[], ...times: number[]) {
  const changes = glassChanges(log)
  return times.map(at => glassAt(changes, at)?.type ?? null)
}

test('a message is on the screen from when it was painted, until a newer one is', () => {
  const log = [
    message(2, { type: 'Go', reachedAt: 3000, shownAt: 3500 }),
    message(1, { reachedAt: 1200, shownAt: 1400, copiedAt: 1900 }),
  ]
  expect(typesAt(log, 1399, 1400, 3499, 3500, 1e9)).toEqual([null, 'Pit', 'Pit', 'Go', 'Go'])
})

test('CLEAR empties the screen when the phone painted it', () => {
  const log = [
    message(1, { reachedAt: 1200, shownAt: 1400 }),
    message(2, { type: null, reachedAt: 3000, shownAt: 3100 }),
  ]
  expect(typesAt(log, 3099, 3100)).toEqual(['Pit', null])
})

test('a message that reached the phone too late empties the screen', () => {
  const log = [
    message(1, { reachedAt: 1200, shownAt: 1400 }),
    message(2, { type: 'Fuel', expiresAt: 4000, reachedAt: 9000 }),
  ]
  expect(typesAt(log, 4000, 8999, 9000, 10_000)).toEqual(['Pit', 'Pit', null, null])
})

test('an undelivered message changes nothing, and a shown one does not expire', () => {
  const log = [
    message(1, { reachedAt: 1200, shownAt: 1400, expiresAt: 2000 }),
    message(2, { type: 'Fuel' }),
  ]
  expect(typesAt(log, 1400, 60_000)).toEqual(['Pit', 'Pit'])
})

test('the newest message wins if the times are in the wrong order', () => {
  const log = [
    message(1, { reachedAt: 2000, shownAt: 2500 }),
    message(2, { type: 'Go', reachedAt: 2100, shownAt: 2100 }),
  ]
  expect(typesAt(log, 2000, 2100, 2500)).toEqual([null, 'Go', 'Go'])
})

test('a question leaves the screen when the driver answers, an order does not', () => {
  const answer = {
    id: 'a',
    number: 1,
    kind: 'Yes',
    version: 1,
    at: 5000,
    receivedAt: 5100,
  } as const
  const shown = { reachedAt: 1200, shownAt: 1400, answers: [answer] }
  expect(typesAt([message(1, { ...shown, ask: true })], 4999, 5000)).toEqual(['Pit', null])
  expect(typesAt([message(1, shown)], 4999, 5000)).toEqual(['Pit', 'Pit'])
})

test('a problem ends when taken back, or at the pit exit after "Got it"', () => {
  const report = (kind: 'Problem' | 'TakenBack', at: number, gotAt?: number) => ({
    id: `${kind} ${at}`,
    number: at,
    kind,
    version: 1,
    at,
    receivedAt: at,
    ...(gotAt !== undefined && { gotIt: { by: 'Mia', number: at, at: gotAt } }),
  })
  const log = [
    message(1, { answers: [report('Problem', 5000, 28_000)] }),
    message(2, { answers: [report('Problem', 200_000), report('TakenBack', 210_000)] }),
  ]
  const visits = [{ startedAt: 90_000, stoppedAt: null, leftAt: null, endedAt: 120_000 }]
  const problem = (at: number) => {
    const { visits: known } = glassStateAt(glassChanges(log), visits, at)
    return problemAt(log, { visits: known, raceEndedAt: 400_000 }, at)
  }
  const kindAt = (at: number) => problem(at)?.report.kind ?? null
  const gotAt = (at: number) => problem(at)?.report.gotIt?.by ?? null
  const fillsAt = (at: number) => problem(at)?.fills ?? false
  expect([4999, 5000, 119_000, 120_000].map(kindAt)).toEqual([null, 'Problem', 'Problem', null])
  expect([27_999, 28_000].map(gotAt)).toEqual([null, 'Mia'])
  expect([4999, 5000, 37_999, 38_000].map(fillsAt)).toEqual([false, true, true, false])
  expect([205_000, 215_000, 270_000].map(kindAt)).toEqual(['Problem', 'TakenBack', null])
})

test('a stop replaces its order for good, as on the phone', () => {
  const visits = [{ startedAt: 60_000, stoppedAt: 70_000, leftAt: 110_000, endedAt: 120_000 }]
  const log = [
    message(1, { pressedAt: 20_000, reachedAt: 20_100, shownAt: 20_200 }),
    message(2, { type: 'Box 2', pressedAt: 30_000, shownAt: 30_200, copiedAt: 40_000 }),
    message(3, { type: 'Easy', pressedAt: 200_000, shownAt: 200_200 }),
  ]
  const at = (ms: number, shown = log) => {
    const { message, plate, visits: known } = glassStateAt(glassChanges(shown), visits, ms)
    return [message?.type ?? null, plate?.type ?? null, known.at(-1)?.endedAt ?? null]
  }
  const [pit] = log
  expect(at(59_000, [pit!])).toEqual(['Pit', null, null])
  expect(at(61_000, [pit!])).toEqual([null, 'Pit', null])
  expect(at(121_000, [pit!])).toEqual([null, null, 120_000])
  expect(at(59_000)).toEqual(['Box 2', null, null])
  expect(at(71_000)).toEqual([null, 'Box 2', null])
  expect(at(150_000)).toEqual([null, null, 120_000])
  expect(at(201_000)).toEqual(['Easy', null, 120_000])
  // What is known only later changes nothing before.
  expect(glassStateAt(glassChanges(log), visits, 65_000).visits).toMatchObject([
    { stoppedAt: null, leftAt: null, endedAt: null },
  ])
})
