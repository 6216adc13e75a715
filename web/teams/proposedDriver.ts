import type { RosterDriver } from '#contract/roster.ts'
import type { EndedSession } from '#contract/sessions.ts'

interface Phone {
  /** The car of the new session. */
  carId: string | null
  /** The last choice on the phone. */
  remembered: { carId: string | null; driverId: string | null }
  /** The newest end first; undefined while unknown. */
  ended: readonly EndedSession[] | undefined
  /** Drivers who may be chosen. */
  drivers: readonly RosterDriver[]
  /** The owner of the phone. */
  userId: string
}

/**
 * Returns the driver that a phone proposes for a new session: the one last chosen on it, or the one who was last in its
 * car, if the car is the same and the chosen driver is not the owner of the phone. Null is none.
 */
export function proposedDriver({ carId, remembered, ended, drivers, userId }: Phone) {
  const { driverId } = remembered
  const isOwn = drivers.some(each => each.id === driverId && each.userId === userId)
  if (driverId === null || carId === null || carId !== remembered.carId || isOwn) return driverId
  const lastInCar = ended?.find(({ car }) => car?.id === carId)?.currentDriver?.id
  return drivers.find(({ id }) => id === lastInCar)?.id ?? driverId
}
