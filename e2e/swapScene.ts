import { randomUUID } from 'node:crypto'
import { createRace } from '#testing/people/createRace.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import type { Person } from '#testing/people/person.ts'
import { newCar } from '#testing/people/roster.ts'

/** A race of six hours that has started, in which Leo drives car 17 with his phone. Mia has one for it as well. */
export async function swapScene(person: (firstName: string) => Promise<Person>) {
  const [ana, leo, mia] = [await person('Ana'), await person('Leo'), await person('Mia')]
  const { id: teamId } = await createTeam(ana, [leo, mia])
  const car = newCar('17')
  await ana.call.roster.saveCar({ teamId, car })
  const first = await leo.call.sessions.start({ teamId, name: 'First phone', carId: car.id })
  const race = { name: 'Zolder 6 hours', hours: 6, at: first.startedAt }
  const raceId = await createRace(ana, teamId, race)
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
