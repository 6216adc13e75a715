import type { DriverId, UserId } from '#contract/ids.ts'
import type { RosterDriver } from '#contract/roster.ts'
import { deletedUser, personName } from '../auth/people.ts'

interface Starter {
  user_id: UserId
  first_name: string | null
  last_name: string | null
}

/**
 * Returns the roster driver that represents a person: the one linked to them or, without a link, the only unlinked one
 * with their name. Null if there is none.
 */
export function driverOfPerson(
  drivers: readonly RosterDriver[],
  { user_id, first_name, last_name }: Starter,
): DriverId | null {
  const linked = drivers.filter(({ userId }) => userId === user_id)
  const [first] = [...linked.filter(({ archived }) => !archived), ...linked]
  if (first) return first.id
  if (!first_name || !last_name) return null
  const name = comparable(`${first_name} ${last_name}`)
  // All deleted users have the same name.
  if (name === comparable(personName(deletedUser))) return null
  const [named, ...others] = drivers.filter(
    driver => !driver.archived && driver.userId === null && comparable(driver.name) === name,
  )
  return named && others.length === 0 ? named.id : null
}

function comparable(name: string): string {
  return name.normalize().trim().replace(/\s+/g, ' ').toLowerCase()
}
