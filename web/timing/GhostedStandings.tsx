import { useQueries } from '@tanstack/react-query'
import type { Car } from '#contract/roster.ts'
import type { OfficialTiming } from '#contract/timing.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { pitLoss } from '#racing/race/pitLoss.ts'
import { expectedLosses, ghostStops } from '#racing/timing/ghostStop.ts'
import { useDeviceSecond } from '#web/live/useSecond.ts'
import { raceOfCarQuery } from '#web/race/plan/raceOfCarQuery.ts'
import { timingText } from '#web/text/timing.ts'
import typography from '#web/ui/theme/typography.module.css'
import { ghostNow, lossText } from './ghostFigures.ts'
import { Standings } from './Standings.tsx'
import { officialState } from './useOfficialTiming.ts'

/** Poll interval of the team's own laps and visits to the pits, from which its stops are measured. */
const ownStopsMs = 30_000

interface Props {
  raceId: string
  timing: OfficialTiming
  /** The team's cars in the race. */
  cars: readonly Car[]
  /** Time of the newest response, on this device's clock. */
  answeredAt: number
  /** True if the newest request failed. */
  isOffline: boolean
}

/** The official order, with the places of the team's cars if they stopped now, and what a stop costs them. */
export function GhostedStandings({ raceId, timing, cars, answeredAt, isOffline }: Props) {
  const nowMs = useDeviceSecond()
  const state = officialState(timing, answeredAt, nowMs)
  const { run } = state
  const races = useQueries({
    queries: cars.map(({ id }) => ({
      ...raceOfCarQuery(raceId, id),
      refetchInterval: ownStopsMs,
      enabled: run !== null,
    })),
  })
  if (!run || run.standings.length === 0) return null
  const flag = state.isFlagCurrent ? run.flag : null
  const own = cars.flatMap(({ number }, index) => {
    const stored = races[index]?.data
    const race = stored && carRaceOf(stored)
    const standing = run.standings.find(each => each.number === number)
    // An order that was entered by hand has no stops.
    return standing && !standing.entered
      ? { number, standing, loss: race ? pitLoss(race.laps, race.visits) : null }
      : []
  })
  const ghosts = own.flatMap(({ number, loss }) => {
    const ghost = state.isCurrent ? ghostNow(ghostStops({ ...run, flag }, number, loss)) : null
    return ghost ? [[number, ghost] as const] : []
  })
  return (
    <>
      <Standings
        standings={run.standings}
        own={cars.map(({ number }) => number)}
        ghosts={new Map(ghosts)}
        isCurrent={state.isCurrent && !isOffline}
      />
      <div className={typography.sub}>
        {own.map(({ number, standing, loss }) => {
          const { green, yellow } = expectedLosses(run.stopLosses, standing, loss)
          return (
            <p key={number}>{timingText.stopCosts(number, lossText(green), lossText(yellow))}</p>
          )
        })}
        {own.length > 0 && <p>{timingText.stopCostHint}</p>}
      </div>
    </>
  )
}
