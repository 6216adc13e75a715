import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { TeamChange } from '#contract/teamChanges.ts'
import { read } from '#web/api/call.ts'
import { teamQuery } from '#web/api/queries.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { appText } from '#web/text/app.ts'
import { historyText } from '#web/text/history.ts'
import { teamsText } from '#web/text/teams.ts'
import { BackLink, Bar } from '#web/ui/Bar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Stack, Wrap } from '#web/ui/Wrap.tsx'

/** Lists the changes of the team with their authors, newest first. */
export function HistoryScreen() {
  usePageTitle(historyText.title)
  const { teamId = '' } = useParams()
  const { data: team } = useQuery(teamQuery(teamId))
  const list = useInfiniteQuery({
    queryKey: ['teams.changes', teamId],
    queryFn: ({ pageParam, signal }) =>
      read('teams.changes', { teamId, ...(pageParam && { before: pageParam }) }, { signal }),
    initialPageParam: 0,
    getNextPageParam: page => page.next,
  })
  return (
    <>
      <Bar>
        <BackLink to={`/teams/${teamId}/members`} lead={appText.backTo}>
          {team?.name ?? teamsText.page}
        </BackLink>
      </Bar>
      <Wrap>
        <PageHead title={historyText.title} />
        {list.data ? (
          <Stack>
            <ChangeRows changes={list.data.pages.flatMap(({ changes }) => changes)} />
            {list.isFetchNextPageError && (
              <p role="alert" className={typography.sub}>
                {historyText.earlierFailed} {refusalText(list.error)}
              </p>
            )}
            {list.hasNextPage && (
              <Button
                variant="quiet"
                busy={list.isFetchingNextPage}
                onClick={() => void list.fetchNextPage()}
              >
                {historyText.earlier}
              </Button>
            )}
          </Stack>
        ) : list.error ? (
          <LoadFailed
            title={historyText.failed}
            message={refusalText(list.error)}
            retryLabel={appText.tryAgain}
            retrying={list.isFetching}
            onRetry={() => void list.refetch()}
          />
        ) : (
          <SkeletonRows label={historyText.loading} detailPx={210} />
        )}
      </Wrap>
    </>
  )
}

function ChangeRows({ changes }: { changes: readonly TeamChange[] }) {
  return (
    <Rows label={historyText.title}>
      {changes.map(change => {
        const who = change.actor ?? change.person ?? historyText.somebody
        return (
          <Row
            key={change.id}
            plate={<ThreeLetterPlate name={who.split(' ').at(-1) ?? who} quiet />}
            title={sentenceOf(change)}
            detail={dayAndTime.format(change.at)}
          />
        )
      })}
    </Rows>
  )
}

function sentenceOf({ kind, actor, person, before, after }: TeamChange): string {
  const somebody = historyText.somebody
  if (kind === 'renamed') return historyText.renamed(actor ?? somebody, before ?? '', after ?? '')
  if (kind === 'word-added' || kind === 'word-changed' || kind === 'word-removed')
    return historyText.word[kind](actor ?? somebody, before ?? '', after ?? '')
  if (kind === 'invitation-declined') return historyText.kinds[kind](person ?? somebody, '')
  return historyText.kinds[kind](actor ?? somebody, person ?? somebody)
}

const dayAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
