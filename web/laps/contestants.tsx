import type { ReactNode } from 'react'
import type { Session } from '#contract/sessions.ts'
import { driverName } from '#web/race/driverName.ts'
import { numbered } from '#web/race/lapFigures.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { lapsText } from '#web/text/laps.ts'
import styles from './Comparison.module.css'
import { lapStints } from './lapStints.ts'
import type { ShownLap } from './shownLap.ts'
import type { Compared } from './useCompared.ts'

/** The laps that one person drove in a session. */
export interface DriversLaps {
  driverId: string
  driver: string
  laps: readonly ShownLap[]
}

/** A session in the comparison whose laps have loaded. */
export interface Contestant {
  id: string
  /** Its car first. */
  name: string
  /** The names of its drivers. */
  driver: string
  /** Its laps by driver. */
  drivers: readonly DriversLaps[]
  startedAt: number
  /** All laps of its car's race. */
  laps: readonly ShownLap[]
  gpsPoor: boolean
  /** The line of the session on the chart. */
  swatch: ReactNode
}

interface Loaded {
  session: Pick<
    Session,
    'id' | 'name' | 'startedAt' | 'driver' | 'currentDriver' | 'practice' | 'car'
  >
  race: CarRace
  gpsPoor: boolean
}

/** Returns the shown session and those compared with it, in the order of their lines on the chart. */
export function contestantsOf(shown: Loaded, compared: readonly Compared[]): Contestant[] {
  const others = compared.flatMap(({ session, race, table }, index) =>
    session && race && table
      ? contestant({ session, race, gpsPoor: table.gpsPoor }, index + 1)
      : [],
  )
  return [contestant(shown, 0), ...others]
}

function contestant({ session, race, gpsPoor }: Loaded, line: number): Contestant {
  const { id, startedAt } = session
  const laps = numbered<ShownLap>(race.laps)
  const drivers = new Map<string, DriversLaps>()
  for (const { driverId, driver, laps: driven } of lapStints(laps, race, session)) {
    if (driven.length === 0) continue
    const known = drivers.get(driverId)?.laps ?? []
    drivers.set(driverId, { driverId, driver, laps: [...known, ...driven] })
  }
  const all = [...drivers.values()]
  return {
    id,
    name: lapsText.comparison.named(session.car?.number ?? null, session.name),
    driver: all.length > 0 ? all.map(each => each.driver).join(', ') : driverName(session),
    drivers: all,
    startedAt,
    laps,
    gpsPoor,
    swatch: <span className={styles.swatch} data-line={line} aria-hidden />,
  }
}
