import type { ReactNode } from 'react'
import type { LapTable } from '#contract/laps.ts'
import type { Session } from '#contract/sessions.ts'
import { driverName } from '#web/stints/driverName.ts'
import styles from './Comparison.module.css'
import type { Compared } from './useCompared.ts'

/** A session in the comparison whose laps have loaded. */
export interface Contestant {
  id: string
  name: string
  driverId: string
  driver: string
  startedAt: number
  laps: LapTable['laps']
  gpsPoor: boolean
  /** The line of the session on the chart. */
  swatch: ReactNode
}

/** Returns the shown session and those compared with it, in the order of their lines on the chart. */
export function contestantsOf(
  session: Session,
  table: LapTable,
  compared: readonly Compared[],
): Contestant[] {
  return [
    contestant(session, table, 0),
    ...compared.flatMap((other, index) =>
      other.session && other.table ? contestant(other.session, other.table, index + 1) : [],
    ),
  ]
}

function contestant(session: Session, { laps, gpsPoor }: LapTable, line: number): Contestant {
  const { id, name, driver, currentDriver, startedAt } = session
  return {
    id,
    name,
    driverId: currentDriver?.id ?? driver.id,
    driver: driverName(session),
    startedAt,
    laps,
    gpsPoor,
    swatch: <span className={styles.swatch} data-line={line} aria-hidden />,
  }
}
