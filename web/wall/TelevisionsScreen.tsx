import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { Television } from '#contract/televisions.ts'
import { command, read } from '#web/api/call.ts'
import { teamQuery } from '#web/api/queries.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { appText } from '#web/text/app.ts'
import { teamsText } from '#web/text/teams.ts'
import { televisionsText } from '#web/text/televisions.ts'
import { BackLink, Bar } from '#web/ui/Bar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Stack, Wrap } from '#web/ui/Wrap.tsx'
import { browserName } from './browserName.ts'

/** Lists the televisions that show the pit wall of a team. Members disconnect them here. */
export function TelevisionsScreen() {
  usePageTitle(televisionsText.title)
  const { teamId = '' } = useParams()
  const { data: team } = useQuery(teamQuery(teamId))
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['televisions.list', teamId],
    queryFn: ({ signal }) => read('televisions.list', { teamId }, { signal }),
  })
  const mayChange = team !== undefined && team.role !== 'viewer'
  return (
    <>
      <Bar>
        <BackLink to={`/teams/${teamId}`} lead={appText.backTo}>
          {team?.name ?? teamsText.page}
        </BackLink>
      </Bar>
      <Wrap>
        <PageHead title={televisionsText.title} sub={televisionsText.sub} />
        <Stack>
          {team?.role === 'viewer' && <p>{televisionsText.viewOnly}</p>}
          {mayChange && (
            <>
              <p>{televisionsText.howTo(`${location.host}/tv`)}</p>
              <LinkButton to={`/tv/allow?team=${teamId}`}>{televisionsText.connect}</LinkButton>
            </>
          )}
          {data ? (
            data.length === 0 ? (
              <Empty>{televisionsText.none}</Empty>
            ) : (
              <Rows>
                {data.map(television => (
                  <TelevisionRow key={television.id} {...{ teamId, television, mayChange }} />
                ))}
              </Rows>
            )
          ) : error ? (
            <LoadFailed
              title={televisionsText.failed}
              message={refusalText(error)}
              retryLabel={appText.tryAgain}
              retrying={isFetching}
              onRetry={() => void refetch()}
            />
          ) : (
            <SkeletonRows label={televisionsText.loading} detailPx={210} />
          )}
        </Stack>
      </Wrap>
    </>
  )
}

interface RowProps {
  teamId: string
  television: Television
  mayChange: boolean
}

function TelevisionRow({ teamId, television, mayChange }: RowProps) {
  const client = useQueryClient()
  const toasts = useToasts()
  const { id, name, allowedBy, createdAt, lastUsedAt } = television
  const remove = useMutation({
    mutationFn: () => command('televisions.remove', { teamId, televisionId: id }),
    onSuccess: () => toasts.success(televisionsText.disconnected(name)),
    onError: reason => toasts.error(televisionsText.notDisconnected, refusalText(reason)),
    onSettled: () => client.invalidateQueries({ queryKey: ['televisions.list', teamId] }),
  })
  const connected = televisionsText.allowedBy(
    allowedBy ?? televisionsText.somebody,
    date.format(createdAt),
  )
  return (
    <Row
      plate={<ThreeLetterPlate name={name} />}
      title={name}
      detail={[
        connected,
        browserName(television),
        televisionsText.used(date.format(lastUsedAt)),
      ].join(' · ')}
      action={
        mayChange && (
          <Button
            variant="quiet"
            narrow
            busy={remove.isPending}
            aria-label={televisionsText.disconnectOf(name)}
            onClick={() => remove.mutate()}
          >
            {televisionsText.disconnect}
          </Button>
        )
      }
    />
  )
}

const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
