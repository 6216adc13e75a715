import { expect, test } from 'vitest'
import type { Message } from '#contract/messages.ts'
import { deliveryOf, isOnScreen, type Press } from './delivery.ts'

const sent: Message = {
  version: 3,
  type: 'Pit',
  pressedAt: 1000,
  sentAt: 1050,
  sentBy: 'u1',
  reachedAt: null,
  shownAt: null,
  copiedAt: null,
  expiresAt: null,
}

test('before the first message the delivery stage is none', () => {
  const never = { ...sent, version: 0, type: null, pressedAt: null, sentAt: null }
  expect(deliveryOf(never, null, 9000)).toEqual({ stage: 'none' })
})

test('a press is pending until the server responds, whatever was on the board', () => {
  const press: Press = { type: 'Go', ask: false, pressedAt: { at: 5000 }, commandId: 'c' }
  const acknowledged = { ...sent, copiedAt: 2000 }
  expect(deliveryOf(acknowledged, press, 7000)).toEqual({ stage: 'sending', ageMs: 2000 })
})

test('a message goes from sent to shown to acknowledged; shown has the time since tap', () => {
  expect(deliveryOf(sent, null, 1500)).toEqual({ stage: 'sent', ageMs: 500 })
  const shown = { ...sent, reachedAt: 1100, shownAt: 1200 }
  expect(deliveryOf(shown, null, 90_000)).toMatchObject({ stage: 'shown', shownAfterMs: 200 })
  expect(deliveryOf({ ...shown, copiedAt: 3000 }, null, 90_000)).toMatchObject({
    stage: 'copied',
    shownAfterMs: 200,
    copiedAfterMs: 2000,
  })
})

test('an order that the driver has not acknowledged for 15 s counts since it was shown', () => {
  const shown = { ...sent, reachedAt: 1100, shownAt: 1200 }
  const at = (message: Message, nowMs: number) => deliveryOf(message, null, nowMs)
  expect(at(shown, 16_199)).not.toHaveProperty('uncopiedMs')
  expect(at(shown, 51_200)).toMatchObject({ stage: 'shown', uncopiedMs: 50_000 })
  expect(at({ ...shown, copiedAt: 60_000 }, 90_000)).not.toHaveProperty('uncopiedMs')
  // A question is answered, and an empty screen needs no acknowledgement.
  expect(at({ ...shown, ask: true }, 51_200)).not.toHaveProperty('uncopiedMs')
  expect(at({ ...shown, type: null }, 51_200)).toEqual({ stage: 'none' })
})

test('a message that was carried over to another phone counts from then', () => {
  const carried: Message = { ...sent, pressedAt: 1000, sentAt: 60_000, carriedOver: true }
  expect(deliveryOf(carried, null, 61_000)).toEqual({ stage: 'sent', ageMs: 1000 })
  const shown = { ...carried, shownAt: 60_300 }
  expect(deliveryOf(shown, null, 90_000)).toMatchObject({ stage: 'shown', shownAfterMs: 300 })
})

test('a message that is on the phone but not shown is reported once it is late', () => {
  const reached = { ...sent, reachedAt: 1100 }
  expect(deliveryOf(reached, null, 1500).stage).toBe('sent')
  expect(deliveryOf(reached, null, 4000)).toEqual({ stage: 'reached', ageMs: 3000 })
})

test("a cleared screen is reported until it is clear on the driver's side, too", () => {
  const cleared = { ...sent, type: null }
  expect(deliveryOf(cleared, null, 2000).stage).toBe('sent')
  expect(deliveryOf({ ...cleared, shownAt: 1300 }, null, 2000)).toEqual({ stage: 'none' })
})

test('clock differences never give a negative duration', () => {
  expect(deliveryOf({ ...sent, shownAt: 990 }, null, 0)).toMatchObject({
    stage: 'shown',
    shownAfterMs: 0,
  })
  expect(deliveryOf(sent, null, 0)).toEqual({ stage: 'sent', ageMs: 0 })
})

test('only painted or acknowledged messages count as on screen', () => {
  expect(isOnScreen({ stage: 'reached', ageMs: 1 })).toBe(false)
  expect(isOnScreen({ stage: 'shown', shownAfterMs: 1, ageMs: 1 })).toBe(true)
  expect(isOnScreen({ stage: 'copied', shownAfterMs: 1, copiedAfterMs: 2, ageMs: 3 })).toBe(true)
})

test('a message not shown in time is not delivered, a shown one stays delivered', () => {
  const late = { ...sent, expiresAt: 120_000 }
  expect(deliveryOf(late, null, 119_999).stage).toBe('sent')
  expect(deliveryOf(late, null, 120_000)).toEqual({ stage: 'expired' })
  expect(deliveryOf({ ...late, reachedAt: 2000 }, null, 120_000)).toEqual({ stage: 'expired' })
  expect(deliveryOf({ ...late, shownAt: 2000 }, null, 500_000).stage).toBe('shown')
  expect(deliveryOf({ ...sent, expiresAt: null }, null, 8.64e7).stage).toBe('sent')
})
