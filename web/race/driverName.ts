import type { Stint, StoredCarRace } from '#contract/carRaces.ts'
import type { UserId } from '#contract/ids.ts'
import type { Session } from '#contract/sessions.ts'
import type { Person } from '#contract/users.ts'
import { practiceText } from '#web/text/practice.ts'
import { rosterText } from '#web/text/roster.ts'
import { threeLetters } from '#web/ui/threeLetters.ts'

/** The person who started a session, and who drives now if the team's roster has drivers. */
type Driven = Pick<Session, 'driver' | 'currentDriver' | 'practice'>

/**
 * The current driver's name: first and last name, or the email address without a full name. A practice car has
 * its label instead.
 */
export function driverName({ driver, currentDriver, practice }: Driven): string {
  if (practice) return practiceText.label
  return currentDriver?.name ?? personName(driver)
}

/** The name that the current driver's three letters are taken from. */
export function plateName({ driver, currentDriver, practice }: Driven): string {
  if (practice) return practiceText.label
  return currentDriver ? lastWord(currentDriver.name) : personPlateName(driver)
}

/** The number of the car of a session; without one three letters of its driver. */
export function carPlate(session: Driven & Pick<Session, 'car'>): string {
  if (session.practice) return practiceText.plate
  return session.car?.number ?? threeLetters(plateName(session))
}

/** The user whose photo shows the current driver; null if the driver has no account. */
export function drivingUserId({ driver, currentDriver, practice }: Driven): UserId | null {
  if (practice) return null
  return currentDriver ? currentDriver.userId : driver.id
}

/** The driver of a stint, or the person who started its session if that has a name. */
export function stintDriverName(
  { driverId, sessionId }: Pick<Stint, 'driverId' | 'sessionId'>,
  { drivers, phones }: Pick<StoredCarRace, 'drivers' | 'phones'>,
): string {
  const phone = phones.find(each => each.sessionId === sessionId)
  return (
    drivers.find(({ id }) => id === driverId)?.name ??
    (phone ? phone.person || rosterText.noDriver : '')
  )
}

/** True for the words that stand for a driver who is not known. */
export function isUnnamed(name: string): boolean {
  return name === rosterText.noDriver || name === rosterText.notChosen
}

/** The name that the three letters of a driver's name are taken from. */
export function lettersOf(name: string): string {
  return isUnnamed(name) ? '---' : lastWord(name)
}

/** The last word of a driver's name, such as the family name. */
export function lastWord(name: string): string {
  return name.split(' ').at(-1) ?? name
}

/** First and last name, or the email address without a full name. */
export function personName({ firstName, lastName, email }: Person): string {
  if (firstName && lastName) return `${firstName} ${lastName}`
  return email ?? firstName ?? lastName ?? ''
}

/** The name that a person's three letters are taken from. */
export function personPlateName({ firstName, lastName, email }: Person): string {
  return lastName ?? firstName ?? email ?? ''
}
