import type { Lane } from '#web/message/lanes.ts'
import { openProblem } from './carMessage.ts'
import { useLanePhones } from './useLanePhones.ts'

/** Returns the id of the lane whose problem the letter of "Got it" gets: that of the chosen car, else the oldest. */
export function useProblemLane(lanes: readonly Lane[], chosen: Lane | null): string | undefined {
  const phones = useLanePhones(lanes.flatMap(lane => lane.phones))
  const problems = lanes.flatMap(lane => {
    const own = phones.filter(({ session }) => lane.phones.some(({ id }) => id === session.id))
    const problem = openProblem(lane, own)
    return problem ? [{ id: lane.id, at: problem.receivedAt }] : []
  })
  const ofChosen = problems.find(({ id }) => id === chosen?.id)
  return (ofChosen ?? problems.toSorted((one, other) => one.at - other.at)[0])?.id
}
