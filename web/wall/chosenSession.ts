import type { Session } from '#contract/sessions.ts'

type ChosenSession = Pick<Session, 'id' | 'car'>

/** To which session the keys send. */
export interface Choice {
  readonly id: string
  readonly carId: string | null
  /** The session that was driven with this car then. */
  readonly drivenId: string | null
}

/** Returns the choice of a session. `driven` has one session of each named car. */
export function choiceOf({ id, car }: ChosenSession, driven: readonly ChosenSession[]): Choice {
  const carId = car?.id ?? null
  return { id, carId, drivenId: drivenOf(carId, driven)?.id ?? null }
}

/**
 * Returns the session to which the keys send. They follow their car to its next session, and never go to another car by
 * themselves: null if the car has no session any more. Without a choice it is the first driven session.
 */
export function chosenSession<T extends ChosenSession>(
  choice: Choice | null,
  lanes: readonly T[],
  driven: readonly ChosenSession[],
): T | null {
  const laneOf = (id: string | undefined) => lanes.find(each => each.id === id)
  const first = laneOf(driven[0]?.id) ?? null
  if (!choice) return first
  const chosen = laneOf(choice.id)
  const ofCar = drivenOf(choice.carId, driven)
  if (chosen && (!ofCar || ofCar.id === choice.drivenId)) return chosen
  return laneOf(ofCar?.id) ?? chosen ?? (choice.carId === null ? first : null)
}

function drivenOf(carId: string | null, driven: readonly ChosenSession[]) {
  return carId === null ? undefined : driven.find(({ car }) => car?.id === carId)
}
