import { useState } from 'react'
import type { Session } from '#contract/sessions.ts'
import { type Choice, choiceOf, chosenSession } from './chosenSession.ts'
import { drivingSessions } from './drivingSessions.ts'
import { useCrossings } from './useCrossings.ts'

interface ChosenCar {
  /** The session to which the keys send. */
  readonly selected: Session | null
  /** A car was chosen: if none is selected now, it has no session any more. */
  readonly hasChosen: boolean
  /** False until it is known which session of each car is driven. */
  readonly areLoaded: boolean
  readonly choose: (session: Session) => void
}

/** The car to which the keys of the wall send: the first one, until another one is chosen. */
export function useChosenCar(lanes: readonly Session[] | undefined): ChosenCar {
  const [choice, setChoice] = useState<Choice | null>(null)
  const { sessions, areLoaded } = useCrossings(lanes)
  const driven = drivingSessions(sessions)
  const selected = chosenSession(choice, lanes ?? [], driven)
  const next = selected && choiceOf(selected, driven)
  // Stays chosen when a car that comes before it in the team's order starts.
  if (next && areLoaded && (next.id !== choice?.id || next.drivenId !== choice.drivenId))
    setChoice(next)
  return {
    selected,
    hasChosen: choice !== null,
    areLoaded,
    choose: session => setChoice(choiceOf(session, driven)),
  }
}
