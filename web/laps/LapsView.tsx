import { useMemo } from 'react'
import type { LapTable } from '#contract/laps.ts'
import type { Session } from '#contract/sessions.ts'
import type { RaceOfSession } from '#contract/stints.ts'
import { lapsText } from '#web/text/laps.ts'
import typography from '#web/ui/theme/typography.module.css'
import { Comparison } from './Comparison.tsx'
import { contestantsOf } from './contestants.tsx'
import { LapChart } from './LapChart.tsx'
import styles from './LapsScreen.module.css'
import { LapTableView } from './LapTableView.tsx'
import { lapStints } from './lapStints.ts'
import { useCompared } from './useCompared.ts'

interface Props {
  session: Session
  table: LapTable
  /** Undefined until it has loaded. */
  race: RaceOfSession | undefined
  /** False for viewers. */
  mayMark: boolean
}

/** Chart, comparison and table of a session with laps. */
export function LapsView({ session, table, race, mayMark }: Props) {
  const { id: sessionId, teamId } = session
  const { laps, gpsPoor } = table
  const [compared, setCompared] = useCompared(sessionId)
  const contestants = contestantsOf(session, { table, race }, compared)
  const lines = useMemo(
    () => compared.map(each => (each.session && each.table ? each.table.laps : [])),
    [compared],
  )
  return (
    <div className={styles.columns}>
      <div className={styles.figures}>
        <LapChart laps={laps} gpsPoor={gpsPoor} compared={lines} />
        <Comparison
          teamId={teamId}
          sessionId={sessionId}
          contestants={contestants}
          compared={compared}
          onCompare={setCompared}
        />
      </div>
      <section aria-label={lapsText.table}>
        <LapTableView
          sessionId={sessionId}
          stints={lapStints(laps, session, race)}
          gpsPoor={gpsPoor}
          visits={race?.pitVisits ?? []}
          mayMark={mayMark}
        />
        <p className={typography.sub}>{lapsText.compared}</p>
        {mayMark && <p className={typography.sub}>{lapsText.markHint}</p>}
      </section>
    </div>
  )
}
