import { useQuery } from '@tanstack/react-query'
import { ClipboardList, Film, History } from 'lucide-react'
import type { Visitor } from '#support/contract/support.ts'
import { deskText } from '#support/web/text/desk.ts'
import { appText } from '#web/text/app.ts'
import { Bar, BarGap, BarLink, LogoLink } from '#web/ui/Bar.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { PageHead, SectionHead } from '#web/ui/PageHead.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Wrap } from '#web/ui/Wrap.tsx'
import { nameOf, pageOf, plateOf } from './deskNames.ts'
import { visitorsQuery } from './deskQueries.ts'

/** The visitors online, one row per page. */
export function DeskScreen() {
  usePageTitle(deskText.page)
  return (
    <>
      <Bar>
        <LogoLink to="/teams" label={appText.home} short />
        <BarGap />
        <BarLink to="/support/tests">
          <ClipboardList aria-hidden />
          {deskText.tests}
        </BarLink>
        <BarLink to="/support/recordings">
          <Film aria-hidden />
          {deskText.recordings}
        </BarLink>
        <BarLink to="/support/audit">
          <History aria-hidden />
          {deskText.audit}
        </BarLink>
      </Bar>
      <Wrap>
        <PageHead title={deskText.page} sub={deskText.sub} />
        <section aria-labelledby="online">
          <SectionHead id="online" title={deskText.online} />
          <PageRows />
        </section>
      </Wrap>
    </>
  )
}

function PageRows() {
  const query = useQuery(visitorsQuery)
  const { data: visitors } = query
  if (!visitors)
    return (
      <NotLoaded
        query={query}
        loading={deskText.loadingOnline}
        failed={deskText.onlineFailed}
        detailPx={210}
      />
    )
  if (visitors.length === 0) return <Empty title={deskText.nobody}>{deskText.nobodyText}</Empty>
  return (
    <Rows labelledBy="online">
      {visitors.flatMap(visitor =>
        visitor.tabs.map(tab => (
          <Row
            key={`${visitor.visitId} ${tab.tabId}`}
            to={`/support/visits/${visitor.visitId}/${tab.tabId}`}
            plate={<ThreeLetterPlate name={plateOf(visitor.person)} quiet />}
            title={nameOf(visitor.person)}
            detail={detailOf(visitor, tab)}
          />
        )),
      )}
    </Rows>
  )
}

/**
 * Which of their pages it is, since when they are online, and active agents. Never the page's content.
 */
function detailOf(visitor: Visitor, tab: Visitor['tabs'][number]): string {
  const { since, agents } = visitor
  return [
    ...pageOf(visitor, tab.tabId),
    deskText.since(clock.format(since)),
    ...(tab.active ? [] : [deskText.hiddenPage]),
    ...(tab.inCall ? [deskText.inCall] : []),
    ...(agents.length > 0 ? [deskText.withAgents(agents.join(', '))] : []),
  ].join(' · ')
}

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
