import { expect, test } from 'vitest'
import { type CarSession, droveOn } from './driveOn.ts'

const minuteMs = 60_000
const before = { from: 0, to: 60 * minuteMs, visits: [], fillsAt: [] }
const next = { from: 61 * minuteMs, to: null, visits: [], fillsAt: [] }
const visit = (from: number, to: number | null) => ({
  startedAt: from * minuteMs,
  endedAt: to === null ? null : to * minuteMs,
})

test.each<[string, boolean, Partial<CarSession>, Partial<CarSession>]>([
  ['drives on with another phone', true, {}, {}],
  [
    'drives on after earlier and before later stops',
    true,
    { visits: [visit(30, 33)] },
    { visits: [visit(70, 73)] },
  ],
  ['ends its session in the pits', false, { visits: [visit(58, null)] }, {}],
  ['begins its session in the pits', false, {}, { visits: [visit(61.5, 64)] }],
  ['was refuelled before the session ended', false, { fillsAt: [59 * minuteMs] }, {}],
  ['was refuelled after the session began', false, {}, { fillsAt: [63 * minuteMs] }],
  [
    'was refuelled in another stop',
    true,
    { visits: [visit(52, 55)], fillsAt: [54 * minuteMs] },
    {},
  ],
  ['was refuelled long before', true, { fillsAt: [30 * minuteMs] }, {}],
  [
    'was refuelled after its phone failed',
    false,
    { to: 40 * minuteMs, fillsAt: [50.5 * minuteMs] },
    {},
  ],
  ['was not tracked for a long time', false, {}, { from: 95 * minuteMs }],
  ['has not ended its session', false, { to: null }, {}],
])('a car that %s: %s', (_, expected, earlier, later) => {
  expect(droveOn({ ...before, ...earlier }, { ...next, ...later })).toBe(expected)
})
