import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Clock, MonitorSmartphone, Smartphone } from 'lucide-react'
import { useEffect } from 'react'
import { command } from '#web/api/call.ts'
import { joinText } from '#web/text/join.ts'
import { ActionCard } from '#web/ui/ActionCard.tsx'
import { Button } from '#web/ui/Button.tsx'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useCommand } from '#web/ui/useCommand.ts'
import { Stack } from '#web/ui/Wrap.tsx'
import styles from './JoinScreen.module.css'
import { joinStateQuery, refreshLogin } from './joinQueries.ts'

/** A person who waits to be let in, and what they can do then. */
export function JoinState({ teamId }: { teamId: string }) {
  const client = useQueryClient()
  const query = useQuery(joinStateQuery(teamId))
  const state = query.data?.state
  useEffect(() => {
    // A member's account may have moved to this browser.
    if (state === 'in') void refreshLogin(client).catch(() => undefined)
  }, [client, state])
  if (!query.data)
    return <NotLoaded query={query} loading={joinText.loading} failed={joinText.notFound} />
  const { team = '', role } = query.data
  if (state === 'not-in')
    return (
      <Stack>
        <PageHead title={joinText.notIn} sub={joinText.notInText} />
        <LinkButton variant="quiet" to="/join">
          {joinText.anotherCode}
        </LinkButton>
      </Stack>
    )
  return (
    <Stack>
      <PageHead title={team} />
      <div className={styles.board} data-state={state}>
        <span className={styles.word} aria-hidden>
          IN
        </span>
        <output className={styles.line}>
          {state === 'in' ? <Check aria-hidden /> : <Clock aria-hidden />}
          {state === 'in' ? joinText.in : joinText.waiting}
        </output>
      </div>
      {state === 'waiting' && (
        <>
          <p className={typography.sub}>{joinText.waitingText}</p>
          <Cancel teamId={teamId} />
        </>
      )}
      {state === 'in' && role === 'member' && (
        <ActionCard
          to={`/teams/${teamId}/new`}
          icon={<Smartphone aria-hidden />}
          lead={joinText.drive}
        >
          {joinText.driveText}
        </ActionCard>
      )}
      {state === 'in' && (
        <ActionCard
          to={`/teams/${teamId}`}
          icon={<MonitorSmartphone aria-hidden />}
          lead={joinText.crew}
        >
          {joinText.crewText}
        </ActionCard>
      )}
    </Stack>
  )
}

function Cancel({ teamId }: { teamId: string }) {
  const cancel = useCommand({
    failed: joinText.notCancelled,
    send: () => command('joinCodes.withdraw', { teamId }),
    // Reloads the page, because the login that was made for the request has ended.
    onSuccess: () => location.assign('/join'),
  })
  return (
    <Button variant="quiet" busy={cancel.isPending} onClick={() => cancel.mutate()}>
      {joinText.cancel}
    </Button>
  )
}
