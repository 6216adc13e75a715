import type { Session } from '#contract/sessions.ts'
import { driverName } from '#web/race/driverName.ts'
import { circuitsText } from '#web/text/circuits.ts'

/** Names the car of a session by its number; without one by its driver. */
export function nameOfCar(session: Session): string {
  const { car } = session
  return car ? circuitsText.car(car.number) : circuitsText.carOf(driverName(session))
}
