import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OutputOf } from '#contract/api.ts'
import { deskText } from '#support/web/text/desk.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { appText } from '#web/text/app.ts'
import { BackLink, Bar } from '#web/ui/Bar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import { PageHead, SectionHead } from '#web/ui/PageHead.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Stack, Wrap } from '#web/ui/Wrap.tsx'
import { nameOf, plateOf } from './deskNames.ts'
import { auditPage, auditQuery } from './deskQueries.ts'

/** The audit log: the requests of agents and the answers. */
export function AuditScreen() {
  usePageTitle(deskText.auditTitle)
  return (
    <>
      <Bar>
        <BackLink to="/support" lead={appText.backTo}>
          {deskText.back}
        </BackLink>
      </Bar>
      <Wrap>
        <PageHead title={deskText.auditTitle} sub={deskText.auditSub} />
        <section aria-labelledby="audit">
          <SectionHead id="audit" title={deskText.auditHeading} />
          <Entries />
        </section>
      </Wrap>
    </>
  )
}

/** The newest entries, or those before `before`, and on demand the next page below. */
function Entries({ before }: { before?: number }) {
  const { data: entries, error, isFetching, refetch } = useQuery(auditQuery(before))
  const [more, setMore] = useState(false)
  if (!entries && error) {
    return (
      <LoadFailed
        title={deskText.auditFailed}
        message={refusalText(error)}
        retryLabel={appText.tryAgain}
        retrying={isFetching}
        onRetry={() => void refetch()}
      />
    )
  }
  if (!entries) return <SkeletonRows label={deskText.loadingAudit} detailPx={140} />
  const last = entries.at(-1)
  if (!last) {
    const none = before === undefined ? deskText.noAudit : deskText.allAudit
    return <p className={typography.sub}>{none}</p>
  }
  return (
    <Stack>
      <Rows labelledBy="audit">
        {entries.map(entry => (
          <EntryRow key={entry.id} {...entry} />
        ))}
      </Rows>
      {more && <Entries before={last.id} />}
      {!more && entries.length === auditPage && (
        <Button variant="quiet" onClick={() => setMore(true)}>
          {deskText.older}
        </Button>
      )}
    </Stack>
  )
}

function EntryRow({ event, agent, visitor, at }: OutputOf<'support.audit'>[number]) {
  return (
    <Row
      plate={<ThreeLetterPlate name={plateOf(agent)} quiet />}
      title={deskText.events[event](nameOf(agent), nameOf(visitor))}
      detail={<time dateTime={new Date(at).toISOString()}>{clock.format(at)}</time>}
    />
  )
}

const clock = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
