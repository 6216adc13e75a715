import { expect, test } from 'vitest'
import type { LoggedMessage } from '#contract/messages.ts'
import { exampleRace } from '#testing/exampleRace.ts'
import { lap } from '#testing/lap.ts'
import {
  answerEvent,
  clockEvents,
  contactEvent,
  flagEvent,
  lapEvents,
  linkEvent,
  loggedEvents,
  messageEvent,
} from './carEvents.ts'

const laps = [lap(1, 112.4), lap(2, 112.4), lap(3, 112.8)]

test('a lap is listed with its time and its delta to the average', () => {
  expect(lapEvents(laps, false).at(-1)).toMatchObject({ word: '1:52.8', text: ' +0.4' })
})

test('with a poor receiver a lap is listed with an approximate time and no delta', () => {
  expect(lapEvents(laps, true).at(-1)).toMatchObject({ word: '~1:53', text: '' })
})

test('a lap whose end no phone saw is listed without a time', () => {
  const unseen = lap(4, 112.8, { isSeen: false })
  expect(lapEvents([...laps, unseen], false).at(-1)).toMatchObject({ word: 'time not known' })
})

test.each([
  ['Yes', ' to PIT?'],
  ['Problem', ''],
  ['PitThisLap', ''],
  ['TakenBack', ''],
] as const)(
  'the event of %s is the driver’s, and names a question only if it answers it',
  (kind, text) => {
    const question = { type: 'Pit' }
    const given = { id: 'a', number: 3, kind, version: 2, question, at: 1000, receivedAt: 1100 }
    expect(answerEvent(given)).toMatchObject({ lead: 'Driver:', text })
  },
)

test('a lane names what was taken back, and a driver who left the screen', () => {
  const given = { id: 'a', number: 3, version: 2, at: 1000, receivedAt: 1100 }
  expect(answerEvent({ ...given, kind: 'TakenBack' }).word).toBe('PROBLEM TAKEN BACK')
  expect(contactEvent('left', 1000).word).toBe('Driver left the drive screen')
})

test('both parts of a lap with a stop are listed', () => {
  const parts = [lap(4, 60, { kind: 'in' }), lap(4, 130, { kind: 'out', startedAt: 460_000 })]
  const keys = lapEvents([...laps, ...parts], false).map(({ key }) => key)
  expect(new Set(keys).size).toBe(5)
})

test('an official flag is listed once, with its receipt once the phone has painted it', () => {
  const flag = { feed: 'f1', change: 4, flag: 'Yellow', since: 1000, seenAt: 9000, shownAt: null }
  const sent = flagEvent(flag)
  expect(sent).toMatchObject({ at: 1000, lead: 'Flag', word: 'Yellow', text: '' })
  const shown = flagEvent({ ...flag, shownAt: 1900 })
  expect(shown).toEqual({ ...sent, text: ', shown after 0.9 s' })
  expect([flagEvent(null), flagEvent({ ...flag, flag: null })]).toEqual([null, null])
})

test('the log lists messages, answers and who got a problem, as an open wall did', () => {
  const pit: LoggedMessage = {
    version: 2,
    type: 'Pit',
    pressedAt: 1000,
    sentAt: 1100,
    reachedAt: 1200,
    shownAt: 1400,
    copiedAt: null,
    expiresAt: null,
    sentBy: null,
  }
  const gotIt = { by: 'Mia', at: 9000, number: 2 }
  const at = { at: 5000, receivedAt: 5100, version: 2 }
  const problem = { id: 'a', number: 1, kind: 'Problem', ...at, gotIt } as const
  const start: LoggedMessage = { ...pit, version: 0, type: null, pressedAt: null, sentAt: null }
  const events = loggedEvents([{ ...pit, answers: [problem] }, start], 60_000)
  expect(events.map(({ key, word, urgent }) => [key, word, urgent])).toEqual([
    ['message 1100', 'PIT', false],
    ['answer a', 'PROBLEM', false],
    ['got a', 'PROBLEM', false],
  ])
  const open = messageEvent({ ...pit }, false)
  expect(events[0]).toEqual({ ...open, urgent: false })
})

test('the last switch of the data link is listed with its time and the member', () => {
  const off = (by: string | null) => linkEvent({ dataLinkOff: { at: 1000, by } })
  expect(off('Mia')).toMatchObject({ at: 1000, word: 'Data link off', text: ', by Mia' })
  expect(off(null)).toMatchObject({ text: '' })
  const on = linkEvent({ dataLinkOn: { at: 2000, by: 'Sam' } })
  expect(on).toMatchObject({ at: 2000, word: 'Data link on', text: ', by Sam' })
  expect(linkEvent({})).toBeNull()
})

test('the start and the end of the race are events of all cars', () => {
  expect(clockEvents(exampleRace({ startedAt: null }))).toEqual([])
  const over = clockEvents(exampleRace({ startedAt: 1000, endedAt: 2000 }))
  expect(over.map(({ at, plate, word }) => [at, plate, word])).toEqual([
    [1000, 'All', 'Race started'],
    [2000, 'All', 'Race over'],
  ])
})
