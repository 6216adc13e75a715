import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronDown, Share2 } from 'lucide-react'
import { useParams } from 'react-router'
import type { JoinCode } from '#contract/joinCodes.ts'
import { command } from '#web/api/call.ts'
import { useMe } from '#web/api/login.ts'
import { appText } from '#web/text/app.ts'
import { joinText } from '#web/text/join.ts'
import { membersText } from '#web/text/members.ts'
import { Button } from '#web/ui/Button.tsx'
import { dayAndTime } from '#web/ui/dates.ts'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { QrCode } from '#web/ui/QrCode.tsx'
import { SubPage } from '#web/ui/SubPage.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { useCommand } from '#web/ui/useCommand.ts'
import styles from './JoinCodeScreen.module.css'
import { JoinRequests } from './JoinRequests.tsx'
import { codesQuery } from './joinQueries.ts'
import { NeedsAccount } from './NeedsAccount.tsx'
import { NewCode } from './NewCode.tsx'
import { useLiveMembers } from './useLiveMembers.ts'

/** Shows a code with which people join the team, the people who wait, and a form for another code. */
export function JoinCodeScreen() {
  const { teamId = '' } = useParams()
  const { kind } = useMe()
  useLiveMembers(teamId)
  return (
    <SubPage
      page={joinText.showTitle}
      sub={joinText.showSub}
      backTo={`/teams/${teamId}/members`}
      back={membersText.title}
      wide
    >
      {kind === 'account' ? <Codes teamId={teamId} /> : <NeedsAccount />}
    </SubPage>
  )
}

function Codes({ teamId }: { teamId: string }) {
  const query = useQuery(codesQuery(teamId))
  const { data: codes } = query
  if (!codes)
    return <NotLoaded query={query} loading={joinText.codesLoading} failed={joinText.codesFailed} />
  return (
    <div className={styles.parts}>
      <JoinRequests teamId={teamId} />
      {codes.map(code => (
        <ShownCode key={code.id} teamId={teamId} code={code} />
      ))}
      {codes.length === 0 ? (
        <NewCode teamId={teamId} />
      ) : (
        <details className={styles.more}>
          <summary>
            <ChevronDown size={20} aria-hidden />
            {joinText.another}
          </summary>
          <NewCode key={codes.length} teamId={teamId} />
        </details>
      )}
    </div>
  )
}

function ShownCode({ teamId, code: shown }: { teamId: string; code: JoinCode }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const { id, code, asks, role, uses, maxUses, expiresAt } = shown
  const link = `${location.origin}/join/${code}`
  const facts = [
    [joinText.validUntil, dayAndTime.format(expiresAt)],
    [joinText.usesLeft, joinText.of(maxUses - uses, maxUses)],
    [joinText.who, joinText.codeDetail(asks, role)],
  ]
  const stop = useCommand({
    send: () => command('joinCodes.stop', { teamId, codeId: id }),
    failed: joinText.notStopped,
    onSuccess: () => toasts.success(appText.success, joinText.stopped),
    onSettled: () => client.invalidateQueries({ queryKey: codesQuery(teamId).queryKey }),
  })
  return (
    <section className={styles.shown} aria-label={joinText.spelled(code)}>
      <div className={styles.box}>
        <div className={styles.qr}>
          <QrCode text={link} label={joinText.qr} />
        </div>
        <div className={styles.typed}>
          <output className={styles.code} aria-label={joinText.spelled(code)} data-code>
            {code.slice(0, 3)} {code.slice(3)}
          </output>
          <span>{`${location.host}/join`}</span>
        </div>
      </div>
      <div className={styles.side}>
        <dl className={styles.facts}>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <div className={styles.actions}>
          <Button variant="quiet" onClick={() => void share(link, toasts)}>
            <Share2 aria-hidden />
            {joinText.share}
          </Button>
          <Button variant="danger" busy={stop.isPending} onClick={() => stop.mutate()}>
            {joinText.stop}
          </Button>
        </div>
      </div>
    </section>
  )
}

/** Opens the share sheet of the phone; without one the link is copied. */
async function share(url: string, toasts: ReturnType<typeof useToasts>) {
  try {
    // Absent in some browsers.
    if ('share' in navigator) return await navigator.share({ url })
    await (navigator as Navigator).clipboard.writeText(url)
    toasts.success(appText.success, joinText.copied, 'copy')
  } catch (reason) {
    if (reason instanceof DOMException && reason.name === 'AbortError') return
    toasts.error(joinText.notCopied, url, 'copy')
  }
}
