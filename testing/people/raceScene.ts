import { randomUUID } from 'node:crypto'
import { createRace } from './createRace.ts'
import { createTeam } from './createTeam.ts'
import type { Person } from './person.ts'
import { startInCar } from './roster.ts'

/** Creates a team and a race that has started, in which the driver is in car 17. */
export async function oneCarRace(owner: Person, driver = owner, members: readonly Person[] = []) {
  const others = [driver, ...members].filter(each => each !== owner)
  const { id: teamId } = await createTeam(owner, others)
  const session = await startInCar(driver, teamId, { name: 'First phone' })
  const race = { name: 'Zolder 6 hours', hours: 6, at: session.startedAt }
  const raceId = await createRace(owner, teamId, race)
  return { teamId, raceId, session, sessionId: session.id, carId: session.carId }
}

/** The race of car 17 with two phones: Leo drives with his, and Mia has one for the car as well. */
export async function swapScene(person: (firstName: string) => Promise<Person>) {
  const [ana, leo, mia] = [await person('Ana'), await person('Leo'), await person('Mia')]
  const { session: first, ...race } = await oneCarRace(ana, leo, [mia])
  const second = await startInCar(mia, race.teamId, { name: 'Second phone' })
  const runs = async () => (await ana.call.carRaces.ofSession({ sessionId: first.id })).runs
  /** Decides that a phone is in the car from this moment, as a member on another screen. */
  const putInCar = (phone: string) =>
    ana.call.carRaces.correctRuns({
      sessionId: phone,
      correctionId: randomUUID(),
      decisions: [{ phone, from: Date.now(), until: null }],
    })
  return { ...race, ana, leo, mia, first, second, runs, putInCar }
}
