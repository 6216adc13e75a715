import { expect, test } from 'vitest'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { driveAround } from '#testing/drives.ts'
import { DrivenDirection } from './drivenDirection.ts'

const lap = driveAround(zolder, { hz: 1 })

test('the direction of a car follows from its way, over the line too', () => {
  const direction = new DrivenDirection(zolder.outline)
  expect(lap.map(position => direction.add(position))).not.toContain(true)
  const backwards = lap.toReversed().map(position => direction.add(position))
  expect(backwards.slice(0, 2)).toEqual([false, false])
  expect(backwards.slice(10)).not.toContain(false)
})

test('a parked car with a wandering receiver keeps its direction', () => {
  const direction = new DrivenDirection(zolder.outline)
  for (const position of lap.slice(10, 30).toReversed()) direction.add(position)
  const [here, there] = [lap[20]!, lap[21]!]
  const parked = Array.from({ length: 40 }, (_, n) => direction.add(n % 2 ? here : there))
  expect(parked).not.toContain(false)
})
