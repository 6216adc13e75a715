import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { StoredCarRace } from '#contract/carRaces.ts'
import type { Session } from '#contract/sessions.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { stintNumbers } from '#racing/race/carStints.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { rosterText } from '#web/text/roster.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { UndoButton } from '#web/ui/UndoButton.tsx'
import { carRaceQuery } from './carRaceQuery.ts'
import { stintDriverName } from './driverName.ts'
import { refuelsNext } from './refuelNext.ts'
import { stintName } from './stintName.ts'

/** Identifies one choice of a driver, so that its repetition changes nothing. */
interface Choice {
  stintId: string
  driverId: string | null
  /** When it was made; absent: now. */
  from?: number | undefined
}

interface Options {
  onDone?: () => void
  /** Called after a change at a stop without a fill. */
  onRefuel?: (() => void) | undefined
  /** Shows no toast, because the screen shows the change and its Undo. */
  undoesInPlace?: boolean
}

const topic = 'driver-change'

/** Returns a mutation that undoes a driver change of a session, by the id of its stint. */
export function useUndoChange({ id: sessionId }: Pick<Session, 'id'>, undoesInPlace = false) {
  const client = useQueryClient()
  const toasts = useToasts()
  return useMutation({
    mutationFn: (stintId: string) => command('stints.remove', { sessionId, stintId }),
    onSuccess: race => {
      client.setQueryData(carRaceQuery(sessionId).queryKey, race)
      if (undoesInPlace) return
      const stint = race.stints.at(-1)
      const driver = stint ? stintDriverName(stint, race) : ''
      toasts.success(rosterText.undone, rosterText.undoneText(driver), topic)
    },
    onError: reason => toasts.error(rosterText.undoFailed, refusalText(reason), topic),
  })
}

/** Returns a mutation that enters for the team that the driver stayed in the car at a stop. Its toast offers to undo that. */
export function useKeepDriver(sessionId: string) {
  const client = useQueryClient()
  const toasts = useToasts()
  const undo = useUndoChange({ id: sessionId }, true)
  return useMutation({
    mutationFn: (kept: { stintId: string; at: number }) =>
      command('stints.keepDriver', { sessionId, ...kept }),
    retry: 2,
    onMutate: () => toasts.dismiss(topic),
    onSuccess: (race, { stintId }) => {
      client.setQueryData(carRaceQuery(sessionId).queryKey, race)
      const stint = race.stints.at(-1)
      toasts.success(
        rosterText.stays(stint ? stintDriverName(stint, race) : ''),
        <UndoButton onClick={() => undo.mutate(stintId)}>{rosterText.undo}</UndoButton>,
        topic,
      )
    },
    onError: reason => toasts.error(rosterText.changeFailed, refusalText(reason), topic),
  })
}

/** Returns a mutation that puts another driver into the car of a session. Its toast offers to undo that. */
export function useChangeDriver(session: Session, { onDone, onRefuel, undoesInPlace }: Options) {
  const client = useQueryClient()
  const toasts = useToasts()
  const sessionId = session.id
  const undo = useUndoChange(session)
  const announce = (race: StoredCarRace, choice: Choice) => {
    // If the same change was entered on another screen, the server has the stint of that one.
    const stint = race.stints.find(({ id }) => id === choice.stintId) ?? race.stints.at(-1)
    const driver = stintDriverName({ ...choice, sessionId }, race)
    toasts.success(
      rosterText.isIn(driver, race.car?.number ?? null),
      stint && stint.number > 1 && (
        <>
          {rosterText.startsAtExit(stintName(stint, stintNumbers(carRaceOf(race), stint.from)))}{' '}
          <UndoButton onClick={() => undo.mutate(stint.id)}>{rosterText.undo}</UndoButton>
        </>
      ),
      topic,
    )
  }
  return useMutation({
    mutationFn: (choice: Choice) => command('stints.add', { sessionId, ...choice }),
    retry: 2,
    onMutate: () => toasts.dismiss(topic),
    onSuccess: (race, choice) => {
      client.setQueryData(carRaceQuery(sessionId).queryKey, race)
      if (!undoesInPlace) announce(race, choice)
      onDone?.()
      if (refuelsNext(carRaceOf(race))) onRefuel?.()
    },
    onError: reason => toasts.error(rosterText.changeFailed, refusalText(reason), topic),
  })
}
