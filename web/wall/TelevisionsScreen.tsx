import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { Television } from '#contract/televisions.ts'
import { TeamPage } from '#web/account/TeamPage.tsx'
import { command } from '#web/api/call.ts'
import { teamQuery } from '#web/api/queries.ts'
import { queryOf } from '#web/api/queryOf.ts'
import { appText } from '#web/text/app.ts'
import { televisionsText } from '#web/text/televisions.ts'
import { Button } from '#web/ui/Button.tsx'
import { dayAndTime } from '#web/ui/dates.ts'
import { Empty } from '#web/ui/Empty.tsx'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { useCommand } from '#web/ui/useCommand.ts'
import { Stack } from '#web/ui/Wrap.tsx'

/** Lists the televisions that show the pit wall of a team. Members disconnect them here. */
export function TelevisionsScreen() {
  const { teamId = '' } = useParams()
  const { data: team } = useQuery(teamQuery(teamId))
  const query = useQuery(queryOf('televisions.list', { teamId }))
  const { data } = query
  const mayChange = team !== undefined && team.role !== 'viewer'
  return (
    <TeamPage page={televisionsText.title} sub={televisionsText.sub} lead="">
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
        ) : (
          <NotLoaded
            query={query}
            loading={televisionsText.loading}
            failed={televisionsText.failed}
            detailPx={210}
          />
        )}
      </Stack>
    </TeamPage>
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
  const remove = useCommand({
    failed: televisionsText.notDisconnected,
    send: () => command('televisions.remove', { teamId, televisionId: id }),
    onSuccess: () => toasts.success(appText.success, televisionsText.disconnected(name)),
    onSettled: () => client.invalidateQueries({ queryKey: ['televisions.list', teamId] }),
  })
  const connected = televisionsText.allowedBy(
    allowedBy ?? televisionsText.somebody,
    dayAndTime.format(createdAt),
  )
  return (
    <Row
      plate={<ThreeLetterPlate name={name} />}
      title={name}
      detail={[
        connected,
        televisionsText.browser(television),
        televisionsText.used(dayAndTime.format(lastUsedAt)),
      ].join(' · ')}
      choices={
        mayChange ? (
          <Button
            variant="quiet"
            narrow
            busy={remove.isPending}
            aria-label={televisionsText.disconnectOf(name)}
            onClick={() => remove.mutate()}
          >
            {televisionsText.disconnect}
          </Button>
        ) : undefined
      }
    />
  )
}
