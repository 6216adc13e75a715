import { expect, test } from 'vitest'
import type { TeamId } from '#contract/ids.ts'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { foundGiven } from '#racing/circuits/foundCircuit.ts'
import { shippedVersion } from './circuitVersion.ts'
import { sharedCircuit } from './sharedCircuit.ts'

const version = (team: string) => shippedVersion(team as TeamId, zolder)

test('equal circuits of two teams are one object, with one track', () => {
  const copy = { ...version('b'), outline: zolder.outline.map(place => ({ ...place })) }
  const shared = sharedCircuit(version('a'))
  expect(sharedCircuit(copy)).toBe(shared)
  expect(foundGiven(sharedCircuit(copy)).track).toBe(foundGiven(shared).track)
})

test('a circuit with another line or pit lane is another one', () => {
  const shared = sharedCircuit(version('a'))
  const [, line, pitIn = line, pitOut = line] = zolder.outline
  if (!line || !pitIn || !pitOut) throw new Error('The outline is too short.')
  const moved = sharedCircuit({ ...version('a'), line })
  expect(moved).not.toBe(shared)
  expect(moved.line).toBe(line)
  expect(sharedCircuit({ ...version('a'), pitIn, pitOut })).not.toBe(shared)
})
