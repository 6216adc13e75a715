import { expect, test } from 'vitest'
import { noMessage } from '#client/channel/messageState.ts'
import { exampleSession } from '#testing/live/exampleSession.ts'
import { appText } from '#web/text/app.ts'
import { dataLinkText } from '#web/text/dataLink.ts'
import { boardWarnings } from './boardWarnings.ts'

const watched = { session: exampleSession, message: noMessage, ended: false, linkOff: false }
const facts = {
  watched,
  contact: { online: true, ageMs: 0 },
  isLost: false,
  isLinkOff: false,
  otherRace: 'Sprint',
  nowMs: 180_000,
}
const needsNew = 'Race over. Sprint needs a new session'

test('a fault of the phone comes before the race that needs a new session', () => {
  expect(boardWarnings(facts)).toEqual({ ofCar: null, warning: needsNew })
  const ofCar = 'Last contact 3 min ago'
  const silent = { ...facts, contact: { online: false, ageMs: 180_000 } }
  expect(boardWarnings(silent)).toEqual({ ofCar, warning: ofCar })
  expect(boardWarnings({ ...silent, isLost: true }).warning).toBe(appText.offline)
})

test('without a fault there is a warning only for the race that needs a new session', () => {
  expect(boardWarnings({ ...facts, otherRace: null })).toEqual({ ofCar: null, warning: null })
  const linkOff = { ...watched, linkOff: true }
  const off = { ...facts, watched: linkOff, contact: { online: false, ageMs: 180_000 } }
  expect(boardWarnings(off).warning).toBe(dataLinkText.team)
  expect(boardWarnings({ ...off, isLinkOff: true })).toEqual({ ofCar: null, warning: needsNew })
})
