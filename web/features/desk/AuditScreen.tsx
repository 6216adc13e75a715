import { useInfiniteQuery } from '@tanstack/react-query'
import type { OutputOf } from '#contract/api.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { appText } from '#web/text/app.ts'
import { deskText } from '#web/text/desk.ts'
import { BackLink, Bar } from '#web/ui/Bar.tsx'
import { Button } from '#web/ui/Button.tsx'
import gears from '#web/ui/gears.module.css'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import { PageHead, SectionHead } from '#web/ui/PageHead.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Stack, Wrap } from '#web/ui/Wrap.tsx'
import { nameOf, plateOf } from './deskNames.ts'
import { auditQuery } from './deskQueries.ts'

/** Who asked what of whom, and what became of it. */
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

function Entries() {
  const audit = useInfiniteQuery(auditQuery)
  const { data, error, isFetching, hasNextPage } = audit
  if (error) {
    return (
      <LoadFailed
        title={deskText.auditFailed}
        message={refusalText(error)}
        retryLabel={appText.tryAgain}
        retrying={isFetching}
        onRetry={() => void audit.refetch()}
      />
    )
  }
  if (!data) return <SkeletonRows label={deskText.loadingAudit} detailPx={140} />
  const entries = data.pages.flat()
  if (entries.length === 0) return <p className={gears.sub}>{deskText.noAudit}</p>
  return (
    <Stack>
      <Rows labelledBy="audit">
        {entries.map(entry => (
          <EntryRow key={entry.id} {...entry} />
        ))}
      </Rows>
      {hasNextPage && (
        <Button look="quiet" busy={isFetching} onClick={() => void audit.fetchNextPage()}>
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
