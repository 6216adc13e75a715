import { expect, test } from 'vitest'
import { changedPlan } from '#contract/changedPlan.ts'
import type { CarPlan, PlanChange } from '#contract/races.ts'
import { withoutReplaced } from './withoutReplaced.ts'

const stint = (number: number, minutes: number | null) => ({
  number,
  driverId: null,
  lengthMs: minutes === null ? null : minutes * 60_000,
})
const stints = (...all: ReturnType<typeof stint>[]): PlanChange => ({ kind: 'stints', stints: all })
const reset = (from: number): PlanChange => ({ kind: 'reset', from })
const order = (...driverIds: string[]): PlanChange => ({ kind: 'drivers', driverIds })

const plan: CarPlan = {
  driverIds: [],
  stopMs: null,
  lapMs: null,
  stints: [stint(1, 40), stint(2, 40), stint(3, 40), stint(4, 40)],
}

/** The newer change is stored, then the rest of the older one. */
function rest(older: PlanChange, newer: PlanChange) {
  const stored = changedPlan(plan, newer)
  const left = withoutReplaced(older, newer, stored)
  return { left, plan: left ? changedPlan(stored, left) : stored }
}

test.each<[string, PlanChange, PlanChange]>([
  ['a stint', stints(stint(3, 50)), stints(stint(3, 60))],
  ['stints', stints(stint(2, 50), stint(3, 50)), stints(stint(1, 60), stint(3, 60))],
  ['a stint before a reset', stints(stint(3, 50)), reset(2)],
  ['a stint that a reset does not reach', stints(stint(1, 50), stint(3, 50)), reset(2)],
  ['a reset before a stint', reset(2), stints(stint(3, 60))],
  ['a reset of less', reset(3), reset(2)],
  ['a reset of more', reset(2), reset(3)],
  ['the order of drivers', order('a', 'b'), order('b', 'a')],
  ['different things', order('a', 'b'), stints(stint(3, 60))],
])(
  'an older change and a newer stored one give the plan in order of the presses: %s',
  (_, older, newer) => {
    expect(rest(older, newer).plan).toEqual(changedPlan(changedPlan(plan, older), newer))
  },
)

test('nothing is left of a change that a newer one replaces', () => {
  expect(rest(stints(stint(3, 50)), stints(stint(3, 60))).left).toBeNull()
  expect(rest(order('a'), order('b')).left).toBeNull()
  expect(rest(reset(3), reset(2)).left).toBeNull()
  expect(rest(reset(4), stints(stint(4, 60))).left).toBeNull()
})

test('the rest of a change is kept', () => {
  expect(rest(stints(stint(2, 50), stint(3, 50)), stints(stint(3, 60))).left).toEqual(
    stints(stint(2, 50)),
  )
  expect(rest(reset(2), stints(stint(3, 60))).left).toEqual(stints(stint(2, null), stint(4, null)))
  expect(rest(order('a'), reset(1)).left).toEqual(order('a'))
})
