import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { OutputOf } from '#contract/api.ts'
import { exampleCar, exampleId, exampleLap, exampleRace } from '#testing/exampleRace.ts'
import { carPhone, storedCarRace } from '#testing/storedCarRace.ts'
import { queryOf } from '#web/api/queryOf.ts'
import { fetchProposedPlan, proposedDraft } from './proposedRace.ts'
import { raceOfCarQuery } from './raceOfCarQuery.ts'

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

test('a new race takes the lap of its circuit, else the pace of the last race there', async () => {
  const circuitId = circuit.id
  const car = { teamId: exampleId(5), last, carId: car17.id }
  const laps = [1, 2, 3].map(number => {
    const timeMs = 70_000 + number
    return exampleLap(number, { kind: 'full', startedAt: number * 71_000, timeMs })
  })
  const lapOf = async (usual: OutputOf<'circuits.usualLap'>, on: string | null, driven = laps) => {
    const client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } })
    const plan = { driverIds: [], stopMs: null, lapMs: 75_000, stints: [] }
    const { queryKey } = queryOf('races.plan', { raceId: last.id, carId: car17.id })
    client.setQueryData(queryKey, plan)
    const asked = { teamId: car.teamId, circuitId: on ?? '' }
    client.setQueryData(queryOf('circuits.usualLap', asked).queryKey, usual)
    const stored = storedCarRace({ phones: [carPhone({ laps: driven })], race: last })
    client.setQueryData(raceOfCarQuery(last.id, car17.id).queryKey, stored)
    return (await fetchProposedPlan(client, { ...car, circuitId: on })).lapMs
  }
  expect(await lapOf({ timeMs: 69_000, laps: 8, at: 0 }, circuitId)).toBe(69_000)
  expect(await lapOf(null, circuitId)).toBe(70_002)
  expect(await lapOf(null, circuitId, [])).toBe(75_000)
  expect(await lapOf(null, null)).toBeNull()
})
