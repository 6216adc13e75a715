import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Clock, MonitorSmartphone, Smartphone } from 'lucide-react'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { joinCodeLength, plainJoinCode } from '#contract/shared/joinCode.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { joinText } from '#web/text/join.ts'
import { ActionCard } from '#web/ui/ActionCard.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { LogoPage } from '#web/ui/LogoPage.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useCommand } from '#web/ui/useCommand.ts'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Stack } from '#web/ui/Wrap.tsx'
import { JoinForm } from './JoinForm.tsx'
import styles from './JoinScreen.module.css'
import { foundTeamQuery, joinStateQuery, refreshLogin } from './joinQueries.ts'

/** Joins a team with a code, for anybody: the code, the name, and waiting until a member lets them in. */
export function JoinScreen() {
  const { code = '' } = useParams()
  usePageTitle(joinText.page)
  const [search] = useSearchParams()
  const teamId = search.get('team')
  return (
    <LogoPage>
      {teamId !== null ? (
        <JoinState teamId={teamId} code={code} />
      ) : code === '' ? (
        <EnterCode />
      ) : (
        <Found code={plainJoinCode(code)} />
      )}
    </LogoPage>
  )
}

function EnterCode() {
  const navigate = useNavigate()
  const { register, handleSubmit, formState } = useForm({ defaultValues: { code: '' } })
  return (
    <>
      <PageHead title={joinText.enterTitle} sub={joinText.enterSub} />
      <form
        noValidate
        onSubmit={event =>
          void handleSubmit(({ code }) => navigate(`/join/${plainJoinCode(code)}`))(event)
        }
      >
        <Stack>
          <Field
            {...register('code', {
              validate: code =>
                plainJoinCode(code).length === joinCodeLength || joinText.codeMissing,
            })}
            label={joinText.code}
            error={formState.errors.code?.message}
            {...(styles.code && { className: styles.code })}
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={2 * joinCodeLength}
          />
          <Button type="submit">{joinText.next}</Button>
        </Stack>
      </form>
    </>
  )
}

function Found({ code }: { code: string }) {
  const { data: found, error } = useQuery(foundTeamQuery(code))
  if (found) return <JoinForm code={code} found={found} />
  if (!error) return <SkeletonRows label={joinText.loading} detailPx={160} />
  return (
    <>
      <PageHead title={joinText.notFound} sub={refusalText(error)} />
      <LinkButton variant="quiet" to="/join">
        {joinText.anotherCode}
      </LinkButton>
    </>
  )
}

/** A person who waits to be let in, and what they can do then. */
function JoinState({ teamId, code }: { teamId: string; code: string }) {
  const client = useQueryClient()
  const query = useQuery(joinStateQuery(teamId))
  const state = query.data?.state
  useEffect(() => {
    // A member's account may have moved to this browser, or the login that waited has ended.
    if (state === 'in' || state === 'not-in') void refreshLogin(client).catch(() => undefined)
  }, [client, state])
  if (!query.data)
    return <NotLoaded query={query} loading={joinText.loading} failed={joinText.notFound} />
  const { team = '', role } = query.data
  if (state === 'not-in')
    return (
      <Stack>
        <PageHead title={joinText.notIn} sub={joinText.notInText} />
        <LinkButton to={`/join/${code}`}>{joinText.askAgain}</LinkButton>
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
      {state === 'in' && <NextSteps teamId={teamId} mayDrive={role === 'member'} />}
    </Stack>
  )
}

function NextSteps({ teamId, mayDrive }: { teamId: string; mayDrive: boolean }) {
  const ofTeam = `/teams/${teamId}`
  return (
    <>
      {mayDrive && (
        <ActionCard to={`${ofTeam}/new`} icon={<Smartphone aria-hidden />} lead={joinText.drive}>
          {joinText.driveText}
        </ActionCard>
      )}
      <ActionCard to={ofTeam} icon={<MonitorSmartphone aria-hidden />} lead={joinText.crew}>
        {joinText.crewText}
      </ActionCard>
    </>
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
