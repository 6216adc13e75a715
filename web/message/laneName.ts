import type { Session } from '#contract/sessions.ts'
import { driverName, plateName } from '#web/race/driverName.ts'
import { practiceText } from '#web/text/practice.ts'
import { wallText } from '#web/text/wall.ts'
import { threeLetters } from '#web/ui/threeLetters.ts'

/** How a car is named on the wall. */
export interface LaneName {
  /** The number of the car, or three letters of its driver. */
  readonly plate: string
  /** The driver's other names and a space, or empty: they are hidden in a narrow lane. */
  readonly first: string
  readonly last: string
  /** In a sentence: car 17, or the driver. */
  readonly full: string
}

export function laneName(
  session: Pick<Session, 'driver' | 'currentDriver' | 'car' | 'practice'>,
): LaneName {
  const name = driverName(session)
  const last = plateName(session)
  const first = name.endsWith(last) ? name.slice(0, -last.length) : ''
  const number = session.car?.number
  return {
    plate: session.practice ? practiceText.plate : (number ?? threeLetters(last)),
    first,
    last: first === '' ? name : last,
    full: session.practice ? practiceText.full : number === undefined ? name : wallText.car(number),
  }
}
