import type { Person } from '#contract/users.ts'
import { messageText } from '#web/text/message.ts'

/** First and last name, or the email address without a full name. */
export function driverName({ firstName, lastName, email }: Person): string {
  if (firstName && lastName) return `${firstName} ${lastName}`
  return email ?? firstName ?? lastName ?? messageText.driverWithoutName
}

/** The name that the driver's three letters are taken from. */
export function driverPlateName(driver: Person): string {
  return driver.lastName ?? driverName(driver)
}
