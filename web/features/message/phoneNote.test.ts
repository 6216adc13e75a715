import { expect, test } from 'vitest'
import type { PhoneState } from '#contract/phone.ts'
import { phoneNote } from './phoneNote.ts'

const well: PhoneState = {
  presence: 'shown',
  presenceSince: 1000,
  gps: 'good',
  gpsSince: 2000,
  battery: { percent: 80, charging: false },
}

test('a phone that is well, or has said nothing, is no news', () => {
  expect(phoneNote(well, true)).toBeNull()
  expect(phoneNote(well, false)).toBeNull()
  expect(phoneNote(null, false)).toBeNull()
})

test.each<[Partial<PhoneState>, boolean, object | null]>([
  [{ presence: 'hidden' }, true, { what: 'hidden', since: 1000 }],
  [{ presence: 'hidden', gps: 'denied' }, false, { what: 'hidden', since: 1000 }],
  [{ presence: 'leaving' }, false, { what: 'left', since: 1000 }],
  [{ presence: 'offline' }, false, { what: 'no-network', since: 1000 }],
  // It is heard, so it has a network again.
  [{ presence: 'offline' }, true, null],
  [{ gps: 'denied' }, true, { what: 'gps-denied', since: 2000 }],
  [{ gps: 'missing' }, true, { what: 'gps-missing', since: null }],
  [{ gps: 'lost' }, true, { what: 'gps-lost', since: 2000 }],
  [{ gps: 'inaccurate' }, true, { what: 'gps-inaccurate', since: 2000 }],
  [{ gps: 'lost' }, false, null],
  [{ battery: { percent: 20, charging: false } }, true, { what: 'battery', percent: 20 }],
  [{ battery: { percent: 21, charging: false } }, true, null],
  [{ battery: { percent: 5, charging: true } }, true, null],
  [{ battery: null }, true, null],
])('%o, heard: %s', (part, online, expected) => {
  const note = phoneNote({ ...well, ...part }, online)
  if (expected === null) expect(note).toBeNull()
  else expect(note).toMatchObject(expected)
})
