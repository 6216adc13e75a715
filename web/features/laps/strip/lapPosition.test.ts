import { expect, test } from 'vitest'
import { zolder } from '#contract/circuits/zolder.ts'
import { lapShareOn } from './lapPosition.ts'

const { outline } = zolder
const quarter = outline[Math.round(outline.length / 4)]!

test('the share of the lap begins at the line of the session', () => {
  const fromStart = lapShareOn({ outline, line: zolder.startFinish })(quarter)!
  expect(fromStart).toBeGreaterThan(0.1)
  expect(fromStart).toBeLessThan(0.4)
  expect(lapShareOn({ outline, line: quarter })(quarter)).toBe(0)
  expect(lapShareOn({ outline, line: quarter })(zolder.startFinish)).toBeCloseTo(1 - fromStart, 3)
})

test('a car beside the circuit has no share of the lap', () => {
  const share = lapShareOn({ outline, line: zolder.startFinish })
  expect(share({ ...quarter, latitude: quarter.latitude + 0.02 })).toBeNull()
})
