import { useMemo } from 'react'
import type { Session } from '#contract/sessions.ts'
import { linkGaps } from '#web/race/linkGaps.ts'
import { useDataLinkLog } from '#web/race/useDataLinkLog.ts'
import { lapsText } from '#web/text/laps.ts'
import typography from '#web/ui/theme/typography.module.css'
import { Comparison } from './Comparison.tsx'
import { contestantsOf } from './contestants.tsx'
import { LapChart } from './LapChart.tsx'
import styles from './LapsScreen.module.css'
import { LapTableView } from './LapTableView.tsx'
import { lapStints } from './lapStints.ts'
import { unseenReason } from './unseenLap.ts'
import type { LapsOfCar } from './useCarLaps.ts'
import { useCompared } from './useCompared.ts'

interface Props {
  session: Session
  race: LapsOfCar
  gpsPoor: boolean
  /** False for viewers. */
  mayMark: boolean
}

/** Table, chart and comparison of the laps of the car of a session. */
export function LapsView({ session, race, gpsPoor, mayMark }: Props) {
  const { id: sessionId, teamId } = session
  const [compared, setCompared] = useCompared(sessionId)
  const stints = useMemo(() => lapStints(race.laps, race, session), [race, session])
  const contestants = contestantsOf({ session, race, gpsPoor }, compared)
  const drawn = useMemo(
    () => stints.flatMap(({ laps }) => (laps.length > 0 ? [laps] : [])),
    [stints],
  )
  const lines = useMemo(() => compared.map(each => each.race?.laps ?? []), [compared])
  const { data: switches } = useDataLinkLog(sessionId)
  const gaps = useMemo(() => linkGaps(switches ?? []), [switches])
  const marked = new Set(race.laps.map(lap => unseenReason(lap, gaps)))
  const reasons = (['link', 'unseen'] as const)
    .filter(reason => marked.has(reason))
    .map(reason => lapsText.reasons[reason])
  return (
    <div className={styles.columns}>
      <section aria-label={lapsText.table}>
        <LapTableView {...{ stints, race, gpsPoor, gaps, mayMark }} />
        <p className={typography.sub}>{[lapsText.compared, ...reasons].join(' ')}</p>
        {mayMark && <p className={typography.sub}>{lapsText.markHint}</p>}
      </section>
      <div className={styles.figures}>
        <LapChart stints={drawn} gpsPoor={gpsPoor} compared={lines} gaps={gaps} />
        <Comparison
          teamId={teamId}
          sessionId={sessionId}
          contestants={contestants}
          compared={compared}
          onCompare={setCompared}
        />
      </div>
    </div>
  )
}
