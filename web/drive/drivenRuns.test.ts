import { expect, test } from 'vitest'
import type { Run } from '#contract/carRaces.ts'
import { carPhone } from '#testing/storedCarRace.ts'
import { drivenRuns } from './drivenRuns.ts'

const ana = carPhone({ sessionId: 'ana', startedAt: 1000, lastFixAt: 9000 })
const mia = carPhone({ sessionId: 'mia', startedAt: 7000 })
const phones = [ana, mia]
const run = (sessionId: string, from: number, until: number | null): Run => ({
  sessionId,
  from,
  until,
  decidedBy: 'moved',
})
const online = { laps: [{ startedAt: 9500 }], isOffline: false }
const offline = { ...online, isOffline: true }

test('while no phone is in the car the one of the driver is taken as such', () => {
  const byMia = { ...online, sessionId: 'mia' }
  expect(drivenRuns({ runs: [], phones }, byMia)).toEqual([run('mia', 7000, null)])
  const runs = [run('ana', 2000, 8000)]
  expect(drivenRuns({ runs, phones }, byMia)).toEqual([...runs, run('mia', 8000, null)])
  expect(drivenRuns({ runs, phones }, { ...online, sessionId: 'ana' })).toEqual([
    ...runs,
    run('ana', 8000, null),
  ])
})

test('with a network the server decides which phone is in the car', () => {
  const runs = [run('ana', 2000, null)]
  expect(drivenRuns({ runs, phones }, { ...online, sessionId: 'mia' })).toEqual(runs)
  expect(drivenRuns({ runs, phones }, { ...offline, sessionId: 'ana' })).toEqual(runs)
})

test('without a network a phone takes over with its first lap after the last news', () => {
  const runs = [run('ana', 2000, null)]
  expect(drivenRuns({ runs, phones }, { ...offline, sessionId: 'mia' })).toEqual([
    run('ana', 2000, 9500),
    run('mia', 9500, null),
  ])
  const before = { sessionId: 'mia', laps: [{ startedAt: 8500 }], isOffline: true }
  expect(drivenRuns({ runs, phones }, before)).toEqual(runs)
})
