import { expect, test } from 'vitest'
import { lap } from '#testing/lap.ts'
import { answerEvent, contactEvent, flagEvent, lapEvents, linkEvent } from './carEvents.ts'

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

test('the last switch of the data link is listed with its time and the member', () => {
  const off = (by: string | null) => linkEvent({ dataLinkOff: { at: 1000, by } })
  expect(off('Mia')).toMatchObject({ at: 1000, word: 'Data link off', text: ', by Mia' })
  expect(off(null)).toMatchObject({ text: '' })
  const on = linkEvent({ dataLinkOn: { at: 2000, by: 'Sam' } })
  expect(on).toMatchObject({ at: 2000, word: 'Data link on', text: ', by Sam' })
  expect(linkEvent({})).toBeNull()
})
