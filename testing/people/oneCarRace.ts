import { createRace } from './createRace.ts'
import { createTeam } from './createTeam.ts'
import type { Person } from './person.ts'
import { newCar } from './roster.ts'

/** Creates a team with car 17, a race of an hour that has started, and the session of its driver in it. */
export async function oneCarRace(owner: Person, driver = owner) {
  const { id: teamId } = await createTeam(owner, driver === owner ? [] : [driver])
  const car = newCar('17')
  await owner.call.roster.saveCar({ teamId, car })
  const raceId = await createRace(owner, teamId, { carIds: [car.id], hours: 1 })
  const session = { teamId, name: 'Six hours', carId: car.id }
  const { id: sessionId } = await driver.call.sessions.start(session)
  return { teamId, carId: car.id, raceId, sessionId }
}
