import { useSyncExternalStore } from 'react'
import { stopRule } from '#racing/race/rules.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { onSecond } from '#web/live/useSecond.ts'
import type { CarRace } from './carRace.ts'
import { earlyFigure } from './earlyFigure.ts'

/** A stop that was too short is shown for this long. */
const earlyShownMs = 60_000

/** Returns by how much the last stop was too short, for a minute after it: Left 0:10 early. Null otherwise. */
export function useEarly(race: CarRace | undefined): string | null {
  const now = useServerClock()
  return useSyncExternalStore(onSecond, () => {
    const visit = race?.visits.at(-1)
    if (!race?.race || !visit?.endedAt || now() - visit.endedAt >= earlyShownMs) return null
    return earlyFigure(visit, stopRule(race.race.rules, true))?.left ?? null
  })
}
