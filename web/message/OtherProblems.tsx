import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Answer } from '#contract/answers.ts'
import type { Session } from '#contract/sessions.ts'
import { pitThisLap } from '#contract/shared/problem.ts'
import { activeSessionsQuery } from '#web/api/teamQueries.ts'
import { carPlate, driverName } from '#web/race/driverName.ts'
import { hasOpenProblem, useOpenProblem } from '#web/race/useOpenProblem.ts'
import { useServerNow } from '#web/race/useServerNow.ts'
import { answersText } from '#web/text/answers.ts'
import { messageText } from '#web/text/message.ts'
import { counterText } from '#web/ui/ages.ts'
import { CarPlate } from '#web/ui/CarPlate.tsx'
import typography from '#web/ui/theme/typography.module.css'
import styles from './OtherProblems.module.css'
import { useProblemAlarm } from './useProblemAlarm.ts'

interface Props {
  teamId: string
  /** The session whose board is below; null on a page of the team. */
  session: Pick<Session, 'id' | 'car'> | null
}

/**
 * The open problems of the team's cars, without that of the board below. Each opens the messages to its car. The screen
 * that shows it calls `useLiveSessions`, which keeps the list up to date.
 */
export function OtherProblems({ teamId, session }: Props) {
  const { data: sessions = [] } = useQuery(activeSessionsQuery(teamId))
  const others = sessions.filter(
    each =>
      hasOpenProblem(each) &&
      each.id !== session?.id &&
      (session?.car == null || each.car?.id !== session.car.id),
  )
  if (others.length === 0) return null
  return (
    <div className={styles.problems} role="alert">
      {others.map(
        each => each.problem && <Problem key={each.id} session={each} problem={each.problem} />,
      )}
    </div>
  )
}

function Problem({ session, problem }: { session: Session; problem: Answer }) {
  useProblemAlarm(problem.id)
  useOpenProblem(session)
  const now = useServerNow(1000)
  const pitsThisLap = pitThisLap(session.answer ?? null, null, now) !== null
  return (
    <Link to={`/teams/${session.teamId}/${session.id}/message`}>
      {session.car && <span className={typography.hidden}>{messageText.car}</span>}
      <CarPlate number={carPlate(session)} size="row" />
      <b>
        {answersText.word('Problem')}
        {pitsThisLap && <small>{answersText.word('PitThisLap')}</small>}
      </b>
      <span className={styles.driver} data-openreplay-hidden="">
        {driverName(session)}
      </span>
      <span className={styles.age} aria-hidden>
        {counterText(Math.max(0, now - problem.at))}
      </span>
    </Link>
  )
}
