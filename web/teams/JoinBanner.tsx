import { UserPlus } from 'lucide-react'
import { Link } from 'react-router'
import type { JoinRequest } from '#contract/joinCodes.ts'
import { joinText } from '#web/text/join.ts'
import { Button } from '#web/ui/Button.tsx'
import styles from './JoinBanner.module.css'
import { useAnswer } from './JoinRequests.tsx'
import { nameOf } from './nameOf.ts'

/** A person who waits to be let in, above a page of the team. */
export function JoinBanner({ teamId, request }: { teamId: string; request: JoinRequest }) {
  const name = nameOf(request)
  const answer = useAnswer(teamId, request)
  return (
    <div className={styles.notice} role="alert">
      <UserPlus aria-hidden />
      <span>{request.takesOver ? joinText.wantsBack(name) : joinText.wants(name)}</span>
      <Link to={`/teams/${teamId}/members`}>{joinText.look}</Link>
      {!request.takesOver && (
        <Button narrow busy={answer.isPending} onClick={() => answer.mutate('letIn')}>
          {joinText.letIn}
        </Button>
      )}
    </div>
  )
}
