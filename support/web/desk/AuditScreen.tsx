import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OutputOf } from '#contract/api.ts'
import { deskText } from '#support/web/text/desk.ts'
import { Button } from '#web/ui/Button.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { SectionHead } from '#web/ui/PageHead.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { SubPage } from '#web/ui/SubPage.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { Stack } from '#web/ui/Wrap.tsx'
import { nameOf, plateOf } from './deskNames.ts'
import { auditPage, auditQuery } from './deskQueries.ts'

/** The audit log: the requests of agents and the answers. */
export function AuditScreen() {
  return (
    <SubPage
      page={deskText.auditTitle}
      sub={deskText.auditSub}
      backTo="/support"
      back={deskText.back}
    >
      <section aria-labelledby="audit">
        <SectionHead id="audit" title={deskText.auditHeading} />
        <Entries />
      </section>
    </SubPage>
  )
}

/** The newest entries, or those before `before`, and on demand the next page below. */
function Entries({ before }: { before?: number }) {
  const query = useQuery(auditQuery(before))
  const { data: entries } = query
  const [more, setMore] = useState(false)
  if (!entries)
    return (
      <NotLoaded
        query={query}
        loading={deskText.loadingAudit}
        failed={deskText.auditFailed}
        detailPx={140}
      />
    )
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
