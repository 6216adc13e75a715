import { expect, test } from 'vitest'
import { exampleCar, exampleId, exampleRace } from '#testing/exampleRace.ts'
import { proposedDraft } from './proposedRace.ts'

const car17 = exampleCar({ id: exampleId(1) })
const car44 = exampleCar({ id: exampleId(2), number: '44' })
const circuit = { id: exampleId(3) }
const last = exampleRace({ circuitId: circuit.id, carIds: [car17.id, car44.id] })

test('a new race takes circuit, rules and cars of the last one', () => {
  const { circuitId, rules, carIds } = last
  expect(proposedDraft(last, { circuits: [circuit], cars: [car17, car44] })).toMatchObject({
    circuitId,
    rules,
    carIds,
    length: null,
  })
})

test('a new race does not take a circuit that was deleted, or is not loaded yet', () => {
  const cars = [car17, car44]
  for (const circuits of [[{ id: exampleId(4) }], [], undefined])
    expect(proposedDraft(last, { circuits, cars }).circuitId).toBeNull()
})

test('a new race takes no archived car; if none is left, every car', () => {
  const archived = [car17, car44].map(car => ({ ...car, archived: true }))
  const proposed = (cars: typeof archived) => proposedDraft(last, { circuits: [], cars }).carIds
  expect(proposed([car17, ...archived.slice(1)])).toEqual([car17.id])
  expect(proposed(archived)).toEqual([])
})
