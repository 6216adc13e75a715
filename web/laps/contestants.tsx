import type { ReactNode } from 'react'
import type { LapTable } from '#contract/laps.ts'
import type { Session } from '#contract/sessions.ts'
import type { RaceOfSession } from '#contract/stints.ts'
import { driverName } from '#web/race/driverName.ts'
import styles from './Comparison.module.css'
import { lapStints } from './lapStints.ts'
import type { Compared } from './useCompared.ts'

/** The laps that one person drove in a session. */
export interface DriversLaps {
  driverId: string
  driver: string
  laps: LapTable['laps']
}

/** A session in the comparison whose laps have loaded. */
export interface Contestant {
  id: string
  name: string
  /** The names of its drivers. */
  driver: string
  /** Its laps by driver. */
  drivers: readonly DriversLaps[]
  startedAt: number
  laps: LapTable['laps']
  gpsPoor: boolean
  /** The line of the session on the chart. */
  swatch: ReactNode
}

/** Returns the shown session and those compared with it, in the order of their lines on the chart. */
export function contestantsOf(
  session: Session,
  { table, race }: { table: LapTable; race: RaceOfSession | undefined },
  compared: readonly Compared[],
): Contestant[] {
  return [
    contestant({ session, table, race }, 0),
    ...compared.flatMap((other, index) => (isLoaded(other) ? contestant(other, index + 1) : [])),
  ]
}

interface Loaded extends Pick<Compared, 'race'> {
  session: Session
  table: LapTable
}

function isLoaded(other: Compared): other is Compared & Loaded {
  return other.session !== undefined && other.table !== undefined
}

function contestant({ session, table, race }: Loaded, line: number): Contestant {
  const { id, name, startedAt } = session
  const { laps, gpsPoor } = table
  const drivers = new Map<string, DriversLaps>()
  for (const { driverId, driver, laps: driven } of lapStints(laps, session, race)) {
    const known = drivers.get(driverId)?.laps ?? []
    drivers.set(driverId, { driverId, driver, laps: [...known, ...driven] })
  }
  const all = [...drivers.values()]
  return {
    id,
    name,
    driver: all.length > 0 ? all.map(each => each.driver).join(', ') : driverName(session),
    drivers: all,
    startedAt,
    laps,
    gpsPoor,
    swatch: <span className={styles.swatch} data-line={line} aria-hidden />,
  }
}
