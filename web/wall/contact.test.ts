import { expect, test } from 'vitest'
import { unknownSession } from '#client/channel/sessionState.ts'
import type { PhoneState } from '#contract/phone.ts'
import { exampleSession } from '#testing/live/exampleSession.ts'
import { contactOf, isContactEvent } from './contact.ts'

const well: PhoneState = {
  drivingSince: 0,
  count: 1,
  presence: 'shown',
  presenceSince: 40_000,
  gps: 'good',
  gpsSince: 0,
  battery: { percent: 80, charging: false },
}
const low = { battery: { percent: 20, charging: false } }

/** The contact at 60 s, with a phone in this state that was in contact at `at`. */
function contactAt(phone: Partial<PhoneState>, { at = 59_700, accuracyM = 5 } = {}) {
  const session = { ...exampleSession, phone: { ...well, ...phone } }
  const fix = { t: 'fix', s: 's1', c: 59_500, at: 59_000, la: 50, lo: 5, v: 100 } as const
  const live = { ...unknownSession, session, fix: { ...fix, ac: accuracyM }, lastContactAt: at }
  return contactOf(live, 60_000)
}

test.each([
  ['a phone that works', contactAt({}), 'online', 'Online 0.3 s', undefined],
  ['a low battery', contactAt(low), 'online', 'Online 0.3 s', ', battery low'],
  [
    'an inaccurate position before a low battery',
    contactAt(low, { accuracyM: 400 }),
    'online',
    'Online 0.3 s',
    ', GPS ±400 m',
  ],
  ['a dark screen', contactAt({ presence: 'hidden' }), 'dark', 'Screen off 20 s', undefined],
  [
    'a driver who left',
    contactAt({ presence: 'leaving' }),
    'left',
    'Left the screen 20 s',
    undefined,
  ],
  ['silence', contactAt(low, { at: 50_000 }), 'offline', 'Offline 10 s', undefined],
])('a lane names the contact to a car: %s', (_, contact, state, text, fault) => {
  expect(contact).toEqual({ state, text, fault })
})

test('a phone that comes back is no event until its state is known again', () => {
  expect(isContactEvent('online', 'left')).toBe(true)
  expect(isContactEvent('left', 'offline')).toBe(true)
  expect(isContactEvent('offline', 'left')).toBe(false)
  expect(isContactEvent('left', 'online')).toBe(true)
  expect(isContactEvent('online', 'online')).toBe(false)
})
