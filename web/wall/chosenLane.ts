import type { Lane } from '#web/message/lanes.ts'

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
 * themselves: null if the car, or a session without one, has ended. Without a choice it is the first lane.
 */
export function chosenLane<L extends Pick<Lane, 'id' | 'session'>>(
  choice: Choice | null,
  lanes: readonly L[],
): L | null {
  if (!choice) return lanes[0] ?? null
  const { id, carId } = choice
  const isChosen = ({ session, ...lane }: Pick<Lane, 'id' | 'session'>) =>
    carId === null ? lane.id === id : session.car?.id === carId
  return lanes.find(isChosen) ?? null
}
