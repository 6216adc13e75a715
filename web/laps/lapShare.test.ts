import { expect, test } from 'vitest'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { lapShareOn } from './lapShare.ts'

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

test('the share grows in a lap that is driven the other way round', () => {
  const share = lapShareOn({ outline, line: zolder.startFinish })
  const backwards = outline.toReversed()
  for (const position of backwards) share(position)
  const shares = backwards.map(position => share(position)!)
  expect(shares.at(-2)).toBeGreaterThan(0.9)
  const steps = shares.slice(1).map((after, index) => after - shares[index]!)
  // Once it begins again, at the line.
  expect(steps.filter(step => step < 0).length).toBeLessThanOrEqual(1)
})
