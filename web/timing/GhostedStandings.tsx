import { useQueries, useQuery } from '@tanstack/react-query'
import type { Race } from '#contract/races.ts'
import type { Car } from '#contract/roster.ts'
import type { OfficialTiming } from '#contract/timing.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { pitLoss } from '#racing/race/pitLoss.ts'
import { expectedLosses, ghostStops } from '#racing/timing/ghostStop.ts'
import { indexOfNumber } from '#racing/timing/indexOfNumber.ts'
import type { AfterOwedStops } from '#racing/timing/owedStops.ts'
import { useDeviceSecond } from '#web/live/useSecond.ts'
import { raceOfCarQuery } from '#web/race/plan/raceOfCarQuery.ts'
import { timingText } from '#web/text/timing.ts'
import typography from '#web/ui/theme/typography.module.css'
import { ghostNow, lossText } from './ghostFigures.ts'
import { LineCalibration } from './LineCalibration.tsx'
import { Standings } from './Standings.tsx'
import { stopsOwed } from './stopsOwed.ts'
import { namesQuery } from './timingQuery.ts'
import { officialState } from './useOfficialTiming.ts'

/** Poll interval of the team's own laps and visits to the pits, from which its stops are measured. */
const ownStopsMs = 30_000

/** The official timing of a race, for the screens of its team. */
export interface RaceTimingProps {
  teamId: string
  raceId: string
  /** Undefined until it has loaded. */
  race: Race | undefined
  timing: OfficialTiming
  /** The team's cars in the race. */
  cars: readonly Car[]
  /** Time of the newest response, on this device's clock. */
  answeredAt: number
  /** True if the newest request failed. */
  isOffline: boolean
  /** False for viewers. */
  mayChange: boolean
}

/** The official order, with the places of the team's cars if they stopped now, and what a stop costs them. */
export function GhostedStandings({ teamId, raceId, mayChange, ...props }: RaceTimingProps) {
  const { race, timing, cars, answeredAt, isOffline } = props
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
  const { data: named } = useQuery({ ...namesQuery(raceId), enabled: mayChange && run !== null })
  if (!run || run.standings.length === 0) return null
  const flag = state.isFlagCurrent ? run.flag : null
  const own = cars.flatMap(({ number }, index) => {
    const stored = races[index]?.data
    const driven = stored && carRaceOf(stored)
    const standing = run.standings[indexOfNumber(run.standings, number)]
    // An order that was entered by hand has no stops.
    return standing && !standing.entered
      ? { number, standing, driven, loss: driven ? pitLoss(driven.laps, driven.visits) : null }
      : []
  })
  const ghosts = own.flatMap(({ number, loss }) => {
    const ghost = state.isCurrent ? ghostNow(ghostStops({ ...run, flag }, number, loss)) : null
    return ghost ? [[number, ghost] as const] : []
  })
  const stops = race ? stopsOwed(race, run) : null
  return (
    <>
      <Standings
        standings={run.standings}
        own={cars.map(({ number }) => number)}
        names={new Map(named?.names.map(({ number, name }) => [number, name]))}
        ghosts={new Map(ghosts)}
        isCurrent={state.isCurrent && !isOffline}
        stops={stops}
      />
      <div className={typography.sub}>
        {own.map(({ number, standing, loss }) => {
          const { green, yellow } = expectedLosses(run.stopLosses, standing, loss)
          const after = stops?.after.get(standing)
          return (
            <p key={number}>
              {timingText.stopCosts(number, lossText(green), lossText(yellow))}
              {after && ` ${owedText(number, after)}`}
            </p>
          )
        })}
        {own.length > 0 && <p>{timingText.stopCostHint}</p>}
      </div>
      {own.map(
        ({ number, driven }) =>
          driven && (
            <LineCalibration
              key={number}
              {...{ teamId, raceId, number }}
              race={driven}
              mayMove={mayChange}
            />
          ),
      )}
    </>
  )
}

function owedText(number: string, { owed, places }: AfterOwedStops): string {
  const after = places ? timingText.places(places.best, places.worst) : timingText.notKnown
  const owes =
    owed === null
      ? timingText.owesUnknown(number)
      : timingText.owes(number, timingText.stopCount(owed))
  return `${owes} ${timingText.afterOwed(after)}`
}
