import type { Lane } from './lanes.ts'

/** The car to which the keys send. */
export interface Choice {
  readonly id: string
  readonly carId: string | null
}

export function choiceOf({ id, session }: Pick<Lane, 'id' | 'session'>): Choice {
  return { id, carId: session.car?.id ?? null }
}

/**
 * Returns the lane to which the keys send. They follow their car to its next session, and never go to another car by
 * themselves: null if the car has no session any more. Without a choice it is the first lane.
 */
export function chosenLane<L extends Pick<Lane, 'id' | 'session'>>(
  choice: Choice | null,
  lanes: readonly L[],
): L | null {
  const first = lanes[0] ?? null
  if (!choice) return first
  const { id, carId } = choice
  const chosen = lanes.find(lane => lane.id === id)
  if (chosen || carId === null) return chosen ?? first
  return lanes.find(({ session }) => session.car?.id === carId) ?? null
}
