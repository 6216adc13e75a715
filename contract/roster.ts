import { z } from 'zod'
import { command, read } from './endpoint.ts'
import { CarId, DriverId, TeamId, UserId } from './ids.ts'
import { maxBurnL, maxListed, maxTankL } from './shared/stintRules.ts'
import { LineOfText, refusalDetail } from './text.ts'

/** The number on the car, such as 17, 007 or 23B. */
export const CarNumber = z
  .string()
  .trim()
  .toUpperCase()
  .min(1, refusalDetail('missing'))
  .max(4, refusalDetail('too-long'))
  .regex(/^[0-9A-Z]*$/, refusalDetail('car-number'))

/** A car of a team. Litres are null where nobody has entered them. */
export const Car = z.object({
  id: CarId,
  number: CarNumber,
  name: LineOfText.nullable(),
  carClass: LineOfText.nullable(),
  /** Capacity of the tank. */
  tankL: z.number().positive().max(maxTankL).nullable(),
  /** Fuel that stays in the tank at the end of a stint. */
  reserveL: z.number().min(0).max(maxTankL).nullable(),
  /** Expected consumption of a green lap, until it is learned. */
  burnL: z.number().positive().max(maxBurnL).nullable(),
  /** True if it is listed only where a session names it. */
  archived: z.boolean(),
})
export type Car = z.infer<typeof Car>

/** A driver of a team's roster, who needs no account. */
export const RosterDriver = z.object({
  id: DriverId,
  name: LineOfText,
  /** The member who the driver is. */
  userId: UserId.nullable(),
  /** True if the driver is listed only where a stint names them. */
  archived: z.boolean(),
})
export type RosterDriver = z.infer<typeof RosterDriver>

/** Cars and drivers, each in the team's order, the archived ones included. */
export const Roster = z.object({ cars: z.array(Car), drivers: z.array(RosterDriver) })
export type Roster = z.infer<typeof Roster>

const ofTeam = z.object({ teamId: TeamId })

export const roster = {
  get: read({
    auth: 'any-login',
    scopes: ['read', 'wall'],
    summary: 'The cars and drivers of a team.',
    input: ofTeam,
    output: Roster,
  }),
  saveCar: command({
    auth: 'signed-in',
    summary:
      'Adds a car, or changes the one with this id. Idempotent. Returns all cars and drivers.',
    input: ofTeam.extend({ car: Car.omit({ archived: true }) }),
    output: Roster,
  }),
  removeCar: command({
    auth: 'signed-in',
    summary: 'Deletes a car, or archives it if a session, a race or a plan names it. Idempotent.',
    input: ofTeam.extend({ carId: CarId }),
    output: Roster,
  }),
  saveDriver: command({
    auth: 'signed-in',
    summary:
      'Adds a driver, or changes the one with this id. Idempotent. Returns all cars and drivers.',
    input: ofTeam.extend({ driver: RosterDriver.omit({ archived: true }) }),
    output: Roster,
  }),
  removeDriver: command({
    auth: 'signed-in',
    summary: 'Deletes a driver, or archives them if a stint names them. Idempotent.',
    input: ofTeam.extend({ driverId: DriverId }),
    output: Roster,
  }),
  sort: command({
    auth: 'signed-in',
    summary: 'Sorts the cars or the drivers of a team. Those that are not named follow the others.',
    input: ofTeam.extend({
      what: z.enum(['cars', 'drivers']),
      ids: z.array(z.uuid().toLowerCase()).min(1).max(maxListed),
    }),
    output: Roster,
  }),
}
