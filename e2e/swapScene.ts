import { randomUUID } from 'node:crypto'
import { noRules } from '#contract/shared/raceRules.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import type { Person } from '#testing/people/person.ts'

/** A race of six hours that has started, in which Leo drives car 17 with his phone. Mia has one for it as well. */
export async function swapScene(person: (firstName: string) => Promise<Person>) {
  const [ana, leo, mia] = [await person('Ana'), await person('Leo'), await person('Mia')]
  const { id: teamId } = await createTeam(ana, [leo, mia])
  const litres = { tankL: 92, reserveL: 4, burnL: 1.9 }
  const car = { id: randomUUID(), number: '17', name: null, carClass: null, ...litres }
  await ana.call.roster.saveCar({ teamId, car })
  const raceId = randomUUID()
  await ana.call.races.save({
    teamId,
    race: {
      id: raceId,
      name: 'Zolder 6 hours',
      length: { in: 'time', ms: 6 * 3_600_000 },
      rules: noRules,
      carIds: [],
    },
  })
  const first = await leo.call.sessions.start({ teamId, name: 'First phone', carId: car.id })
  await ana.call.races.start({ raceId, at: first.startedAt })
  const second = await mia.call.sessions.start({ teamId, name: 'Second phone', carId: car.id })
  const runs = async () => (await ana.call.carRaces.ofSession({ sessionId: first.id })).runs
  /** Decides that a phone is in the car from now on, as a member on another screen. */
  const putInCar = (phone: string) =>
    ana.call.carRaces.correctRuns({
      sessionId: phone,
      correctionId: randomUUID(),
      decisions: [{ phone, from: Date.now(), until: null }],
    })
  return { ana, leo, mia, teamId, raceId, first, second, runs, putInCar }
}
