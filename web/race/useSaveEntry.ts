import { useState } from 'react'
import type { Fill, FillValues } from '#contract/fills.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { fuelText } from '#web/text/fuel.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { type EnteredFill, isEntered } from './enteredFill.ts'
import { fillOfSameStop } from './fillTime.ts'
import type { CarRace } from './shownCarRace.ts'
import { type FillChange, useFills } from './useFills.ts'

interface Saved {
  sessionId: string
  race: CarRace
  /** Time of the fill. */
  at: number
  /** True for a stop without an entry, so that no other one can be of it. */
  isOfStop?: boolean
  onDone: () => void
}

/** Returns a function that saves each kind of entry, and the state of the last one. */
export function useSaveEntry({ sessionId, race, at, isOfStop = false, onDone }: Saved) {
  const now = useServerClock()
  const toasts = useToasts()
  const fills = useFills(sessionId)
  /** The fill of the same stop about which the member was asked. */
  const [asked, setAsked] = useState<EnteredFill | null>(null)
  const save = (change: FillChange) =>
    fills.mutate(change, {
      onSuccess: fills => {
        const start = fills.find(({ kind }) => kind === 'start')
        if (change.do === 'set-start' && (start?.litres ?? null) !== change.litres)
          toasts.error(fuelText.kept, keptText(start), 'fuel')
        // The saved litres are visible; a toast would cover the order and the clock of a stop.
        else toasts.dismiss('fuel')
        onDone()
      },
    })
  return {
    asked,
    error: fills.error,
    isPending: fills.isPending,
    saveStart: (litres: number | null, was: number | null) =>
      save({ do: 'set-start', litres, was }),
    /** Asks first if another member may have entered the fill. */
    saveNew(id: string, values: FillValues) {
      const others = race.fills.filter(isEntered).filter(fill => fill.id !== id)
      const same = isOfStop ? null : fillOfSameStop(race.visits, others, now())
      if (same && same.id !== asked?.id) setAsked(same)
      else save({ do: 'add', fill: { id, at, ...values } })
    },
    saveCorrection: (was: EnteredFill, values: FillValues) =>
      save({ do: 'change', fill: { id: was.id, at, ...values }, was }),
  }
}

/** Names the stored fuel at the start if it is not the saved one: another person changed it first, so it was kept. */
function keptText(start: Fill | undefined): string {
  if (!start) return fuelText.startRemoved
  return fuelText.startEntered(fuelText.litres(String(start.litres)), start.enteredBy)
}
