import type { Page } from '@playwright/test'
import type { CarPlan } from '#contract/races.ts'
import type { Person } from '#testing/people/person.ts'
import { addDriver } from '#testing/people/roster.ts'

export const names = { ana: 'Ana Lindqvist', leo: 'Leo Garnier' }

export const driverButton = (phone: Page, name: string) =>
  phone.getByRole('button', { name: `Driver: ${name}` })

/** Adds Ana and Leo to the roster of their team, which other tests use too. Leo is known by his name. */
export async function addRoster(member: Person, teamId: string) {
  const { drivers } = await member.call.roster.get({ teamId })
  const idOf = async (name: string) =>
    (drivers.find(driver => driver.name === name) ?? (await addDriver(member, teamId, name))).id
  return { ana: await idOf(names.ana), leo: await idOf(names.leo) }
}

export async function stintsOf({ call }: Person, { id }: { id: string }) {
  return (await call.carRaces.ofSession({ sessionId: id })).stints
}

/** The plan of a race in which these drivers have a stint of 90 minutes each. */
export function planOf(...driverIds: string[]): CarPlan {
  const lengthMs = 90 * 60_000
  const stints = driverIds.map((driverId, index) => ({ number: index + 1, driverId, lengthMs }))
  return { driverIds: [], stopMs: null, lapMs: null, stints }
}
