import { expect, test } from 'vitest'
import { minuteMs } from '#contract/shared/durations.ts'
import { exampleRace } from '#testing/exampleRace.ts'
import { carPhone, storedCarRace } from '#testing/storedCarRace.ts'
import { carPlan } from './carPlan.ts'
import { carRaceOf } from './carRace.ts'
import { type OrderedMessage, pitOrders } from './pitOrders.ts'

const startedAt = 1_000_000
const nowMs = at(100)

function at(minutes: number) {
  return startedAt + minutes * minuteMs
}

/** Ana drives 50 minutes, then Marta. The car visits the pits after 50 minutes, and at `secondStop`. */
function called(
  messages: Partial<OrderedMessage>[],
  secondStop: [number, number] | null = null,
  ofOtherPhone: Partial<OrderedMessage>[] = [],
) {
  const visit = (from: number, to: number) => ({
    startedAt: at(from),
    endedAt: at(to),
    stoppedAt: at(from + 0.5),
    leftAt: at(to - 0.2),
  })
  const visits = [visit(50, 53), ...(secondStop ? [visit(...secondStop)] : [])]
  const stint = (number: number, from: number, to: number | null) => ({
    id: `${number}`,
    number,
    sessionId: 's1',
    driverId: null,
    from: at(from),
    to: to === null ? null : at(to),
  })
  const carRace = carRaceOf(
    storedCarRace({
      phones: [carPhone({ visits })],
      stints: [stint(1, -5, 51), stint(2, 51, null)],
      plan: { driverIds: [], stopMs: null, lapMs: 112_000, stints: [] },
      race: exampleRace({ startedAt }),
    }),
  )
  const laid = carPlan(carRace, nowMs)
  if (!laid) throw new Error('There is no plan.')
  const logOf = (sent: Partial<OrderedMessage>[]) =>
    sent.map(
      (message, index): OrderedMessage => ({
        version: sent.length - index,
        type: 'Pit',
        pressedAt: message.sentAt ?? null,
        sentAt: null,
        shownAt: message.sentAt ?? null,
        expiresAt: null,
        ...message,
      }),
    )
  const logs = [logOf(messages), logOf(ofOtherPhone)]
  return [...pitOrders(carRace, laid, { logs, nowMs })]
}

test('a stint that ended after PIT was ordered, and one after a PIT by the plan', () => {
  expect(called([{ sentAt: at(48) }])).toEqual([[1, 'order']])
  expect(called([{ sentAt: at(48), byPlan: true }])).toEqual([[1, 'plan']])
})

test('a PIT that was replaced before the stop, asked or sent after it, ordered no stop', () => {
  expect(called([{ type: null, sentAt: at(49) }, { sentAt: at(48) }])).toEqual([])
  expect(called([{ sentAt: at(48), ask: true }])).toEqual([])
  expect(called([{ sentAt: at(48), expiresAt: at(49) }])).toEqual([])
})

test('a PIT that no screen of the driver showed called nobody in', () => {
  expect(called([{ sentAt: at(48), shownAt: null }])).toEqual([])
})

test('a message to the phone that took over replaces the PIT on the phone before it', () => {
  const before = [{ sentAt: at(96) }]
  expect(called(before)).toEqual([[2, 'order']])
  expect(called(before, null, [{ type: 'Go', sentAt: at(98) }, { sentAt: at(97) }])).toEqual([])
})

test('PIT on the glass ends the current stint until it is taken off', () => {
  expect(called([{ sentAt: at(98) }])).toEqual([[2, 'order']])
  expect(called([{ type: null, sentAt: at(99) }, { sentAt: at(98) }])).toEqual([])
})

test('a stint that went on after its stop was not ended by the order for it', () => {
  expect(called([{ sentAt: at(78) }], [80, 82])).toEqual([])
})
