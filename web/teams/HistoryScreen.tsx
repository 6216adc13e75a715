import { useInfiniteQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { TeamChange } from '#contract/teamChanges.ts'
import { TeamPage } from '#web/account/TeamPage.tsx'
import { read } from '#web/api/call.ts'
import { historyText } from '#web/text/history.ts'
import { membersText } from '#web/text/members.ts'
import { dayAndTime } from '#web/ui/dates.ts'
import { MorePages } from '#web/ui/MorePages.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import { Stack } from '#web/ui/Wrap.tsx'
import { changeSentence } from './changeSentence.ts'

/** Lists the changes of the team with their authors, newest first. */
export function HistoryScreen() {
  const { teamId = '' } = useParams()
  const list = useInfiniteQuery({
    queryKey: ['teams.changes', teamId],
    queryFn: ({ pageParam, signal }) =>
      read('teams.changes', { teamId, ...(pageParam && { before: pageParam }) }, { signal }),
    initialPageParam: 0,
    getNextPageParam: page => page.next,
  })
  return (
    <TeamPage page={historyText.title} backTo={`/teams/${teamId}/members`} back={membersText.title}>
      {list.data ? (
        <Stack>
          <ChangeRows changes={list.data.pages.flatMap(({ changes }) => changes)} />
          <MorePages list={list} more={historyText.earlier} failed={historyText.earlierFailed} />
        </Stack>
      ) : (
        <NotLoaded
          query={list}
          loading={historyText.loading}
          failed={historyText.failed}
          detailPx={210}
        />
      )}
    </TeamPage>
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
            title={changeSentence(change)}
            detail={dayAndTime.format(change.at)}
          />
        )
      })}
    </Rows>
  )
}
