import { expect, test } from 'vitest'
import { noMessage } from '#client/channel/messageState.ts'
import type { PhoneState } from '#contract/phone.ts'
import { exampleSession } from '#testing/live/exampleSession.ts'
import { appText } from '#web/text/app.ts'
import { dataLinkText } from '#web/text/dataLink.ts'
import { messageText } from '#web/text/message.ts'
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

const phone: PhoneState = {
  drivingSince: 0,
  count: 0,
  presence: 'shown',
  presenceSince: 0,
  gps: 'missing',
  gpsSince: 0,
  battery: null,
}

const inGarage = (presence: PhoneState['presence']) => {
  const session = { ...exampleSession, phone: { ...phone, presence } }
  return { ...facts, watched: { ...watched, session } }
}

const needsNew = 'Race over. Sprint needs a new session'

test('a fault of the phone comes before the race that needs a new session', () => {
  expect(boardWarnings(facts)).toMatchObject({ ofCar: null, warning: needsNew })
  const ofCar = 'Last contact 3 min ago'
  const silent = { ...facts, contact: { online: false, ageMs: 180_000 } }
  expect(boardWarnings(silent)).toMatchObject({ ofCar, warning: ofCar })
  expect(boardWarnings({ ...silent, isLost: true }).warning).toBe(appText.offline)
})

test('no GPS does not hide the race that needs a new session, a hidden screen does', () => {
  expect(boardWarnings(inGarage('shown')).warning).toBe(needsNew)
  const noRace = { ...inGarage('shown'), otherRace: null }
  expect(boardWarnings(noRace).warning).toBe(messageText.phone['gps-missing'])
  expect(boardWarnings(inGarage('hidden')).warning).toBe(`${messageText.phone.hidden} 3 min`)
})

test('without a fault there is a warning only for the race that needs a new session', () => {
  expect(boardWarnings({ ...facts, otherRace: null })).toMatchObject({ ofCar: null, warning: null })
  const linkOff = { ...watched, linkOff: true }
  const off = { ...facts, watched: linkOff, contact: { online: false, ageMs: 180_000 } }
  expect(boardWarnings(off).warning).toBe(dataLinkText.team)
  expect(boardWarnings({ ...off, isLinkOff: true })).toMatchObject({
    ofCar: null,
    warning: needsNew,
  })
})

test('an order reaches the driver while the phone is online and shows the drive screen', () => {
  expect(boardWarnings(inGarage('shown')).isReached).toBe(true)
  expect(boardWarnings(inGarage('hidden')).isReached).toBe(false)
  expect(boardWarnings(facts).isReached).toBe(false)
  const silent = { online: false, ageMs: 180_000 }
  expect(boardWarnings({ ...inGarage('shown'), contact: silent }).isReached).toBe(false)
  expect(boardWarnings({ ...inGarage('shown'), isLost: true }).isReached).toBe(false)
})
