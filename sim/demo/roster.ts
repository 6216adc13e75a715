import type { Roster } from '#contract/roster.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import type { Team } from '#contract/teams.ts'
import { call } from '../api.ts'
import type { Member } from './people.ts'
import { demoCars, raceMs, raceName } from './race.ts'

/** Adds the demo's cars and drivers to the team's roster, unless an earlier demo did. */
export async function saveRoster(
  { server }: Member,
  { id: teamId }: Team,
  holders: readonly (readonly Member[])[],
): Promise<Roster> {
  let roster = await call(server, 'roster.get', { teamId })
  for (const [index, { number, name, tankL, burnL, drivers }] of demoCars.entries()) {
    if (!roster.cars.some(car => car.number === number && !car.archived)) {
      const car = { id: crypto.randomUUID(), number, name, carClass: null }
      roster = await call(server, 'roster.saveCar', {
        teamId,
        car: { ...car, tankL, reserveL: 4, burnL },
      })
    }
    for (const [place, { firstName, lastName }] of drivers.entries()) {
      const fullName = `${firstName} ${lastName}`
      if (roster.drivers.some(driver => driver.name === fullName && !driver.archived)) continue
      const userId = holders[index]?.[place]?.user.id ?? null
      const driver = { id: crypto.randomUUID(), name: fullName, userId }
      roster = await call(server, 'roster.saveDriver', { teamId, driver })
    }
  }
  return roster
}

/** Ends the race of an earlier demo, and saves one that the cars' sessions join. */
export async function saveRace({ server }: Member, { id: teamId }: Team): Promise<string> {
  const races = await call(server, 'races.list', { teamId })
  for (const { id, endedAt } of races)
    if (endedAt === null) await call(server, 'races.end', { raceId: id })
  const { id: raceId } = await call(server, 'races.save', {
    teamId,
    race: {
      id: crypto.randomUUID(),
      name: raceName,
      length: { in: 'time', ms: raceMs },
      rules: { ...noRules, name: raceName, maxStintMs: 40 * 60_000 },
      carIds: [],
    },
  })
  return raceId
}
