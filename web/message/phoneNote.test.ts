import { expect, test } from 'vitest'
import type { PhoneState } from '#contract/phone.ts'
import { lowBatteryPercent, phoneNote } from './phoneNote.ts'

const well: PhoneState = {
  drivingSince: 0,
  count: 0,
  presence: 'shown',
  presenceSince: 1000,
  gps: 'good',
  gpsSince: 2000,
  battery: { percent: 80, charging: false },
}

test('a phone without problems, or without a report, has no note', () => {
  expect(phoneNote(well, true)).toBeNull()
  expect(phoneNote(well, false)).toBeNull()
  expect(phoneNote(null, false)).toBeNull()
})

test.each<[Partial<PhoneState>, boolean, object]>([
  [{ presence: 'hidden' }, true, { what: 'hidden', since: 1000 }],
  [{ presence: 'hidden', gps: 'denied' }, false, { what: 'hidden', since: 1000 }],
  [{ presence: 'leaving' }, false, { what: 'left', since: 1000 }],
  [{ presence: 'offline' }, false, { what: 'no-network', since: 1000 }],
  [{ gps: 'denied' }, true, { what: 'gps-denied', since: 2000 }],
  [{ gps: 'missing' }, true, { what: 'gps-missing', since: null }],
  [{ gps: 'lost' }, true, { what: 'gps-lost', since: 2000 }],
  [{ gps: 'inaccurate' }, true, { what: 'gps-inaccurate', since: 2000 }],
  [{ gps: 'inaccurate', problems: ['approximate'] }, true, { what: 'approximate', since: null }],
  [{ problems: ['sound', 'awake'] }, true, { what: 'awake', since: null }],
  [
    { battery: { percent: lowBatteryPercent, charging: false } },
    true,
    { what: 'battery', percent: lowBatteryPercent },
  ],
])('%o, online: %s, has a note', (part, online, expected) => {
  expect(phoneNote({ ...well, ...part }, online)).toMatchObject(expected)
})

test.each<[Partial<PhoneState>, boolean]>([
  // The driver is online, so the phone has a network again.
  [{ presence: 'offline' }, true],
  [{ gps: 'lost' }, false],
  [{ battery: { percent: lowBatteryPercent + 1, charging: false } }, true],
  [{ battery: { percent: 5, charging: true } }, true],
  [{ battery: null }, true],
  // A later version of the app reports it.
  [{ problems: ['unheard-of'] }, true],
  [{ problems: ['clock'] }, false],
])('%o, online: %s, has no note', (part, online) => {
  expect(phoneNote({ ...well, ...part }, online)).toBeNull()
})
