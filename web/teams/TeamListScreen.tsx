import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, QrCode } from 'lucide-react'
import type { Invitation } from '#contract/invitations.ts'
import type { DeletedTeam, Team } from '#contract/teams.ts'
import { PasskeyOffer } from '#web/account/PasskeyOffer.tsx'
import { ProfileMenu } from '#web/account/ProfileMenu.tsx'
import { command } from '#web/api/call.ts'
import { hasJustSignedIn } from '#web/api/justSignedIn.ts'
import { useMe } from '#web/api/login.ts'
import { patchList, replaceList, withItem, withoutItem } from '#web/api/patchList.ts'
import { logoUrl } from '#web/api/pictures.ts'
import { deletedTeamsQuery, invitationsQuery, teamsQuery } from '#web/api/teamQueries.ts'
import { useRoom } from '#web/live/useLive.ts'
import { appText } from '#web/text/app.ts'
import { joinText } from '#web/text/join.ts'
import { teamsText } from '#web/text/teams.ts'
import { ActionCard } from '#web/ui/ActionCard.tsx'
import { Bar, BarGap, LogoLink } from '#web/ui/Bar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { dayAndTime } from '#web/ui/dates.ts'
import { Empty } from '#web/ui/Empty.tsx'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { PageHead, SectionHead } from '#web/ui/PageHead.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useToasts } from '#web/ui/toasts.ts'
import { useCommand } from '#web/ui/useCommand.ts'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Stack, Wrap } from '#web/ui/Wrap.tsx'
import { DrivenHere } from './DrivenHere.tsx'
import { InvitationRows } from './InvitationRows.tsx'

/** The team list, and after a sign-in the offer of a passkey. */
export function TeamListScreen() {
  usePageTitle(teamsText.listTitle)
  useLiveTeams()
  return (
    <>
      <Bar>
        <LogoLink to="/teams" label={appText.home} />
        <BarGap />
        <ProfileMenu />
      </Bar>
      <Wrap>
        <PageHead title={teamsText.listTitle} />
        <Stack>
          <DrivenHere />
          <InvitationRows />
          <TeamRows />
          <Ways />
          {hasJustSignedIn() && <PasskeyOffer />}
          <DeletedTeamRows />
        </Stack>
      </Wrap>
    </>
  )
}

/** How to get into a team, with a sentence each where there is none yet. */
function Ways() {
  const { email, kind } = useMe()
  const { data: teams } = useQuery(teamsQuery)
  if (teams?.length !== 0)
    return (
      <>
        {kind !== 'joined' && (
          <LinkButton variant="quiet" to="/teams/create">
            <Plus aria-hidden />
            {teamsText.add}
          </LinkButton>
        )}
        <LinkButton variant="quiet" to="/join">
          <QrCode aria-hidden />
          {joinText.enterTitle}
        </LinkButton>
      </>
    )
  return (
    <>
      <ActionCard to="/join" icon={<QrCode aria-hidden />} lead={joinText.enterTitle}>
        {joinText.enterSub}
      </ActionCard>
      {kind !== 'joined' && (
        <ActionCard to="/teams/create" icon={<Plus aria-hidden />} lead={teamsText.add}>
          {teamsText.addText}
        </ActionCard>
      )}
      {email !== null && <p className={typography.sub}>{teamsText.waitingFor(email)}</p>}
    </>
  )
}

function TeamRows() {
  const query = useQuery(teamsQuery)
  const { data: teams } = query
  const invitations = useQuery(invitationsQuery)
  if (!teams || (teams.length === 0 && invitations.isPending))
    return <NotLoaded query={query} loading={teamsText.loadingList} failed={teamsText.listFailed} />
  // With an invitation above, the empty text would be wrong: it asks to wait for one.
  if (teams.length === 0 && invitations.data?.length) return null
  if (teams.length === 0) return <Empty title={teamsText.noTeams}>{teamsText.noTeamsText}</Empty>
  return (
    <Rows label={teamsText.teams}>
      {teams.map(team => (
        <Row
          key={team.id}
          to={`/teams/${team.id}`}
          plate={<ThreeLetterPlate name={team.name} picture={logoUrl(team)} />}
          title={team.name}
        />
      ))}
    </Rows>
  )
}

/** Keeps the cached teams and invitations of this user up to date by events. */
function useLiveTeams() {
  const client = useQueryClient()
  const { id } = useMe()
  useRoom(`user:${id}`, event => {
    if (event.t === 'snapshot' && event.snapshot.of === 'user') {
      replaceList(client, invitationsQuery.queryKey, event.snapshot.invitations)
    } else if (event.t === 'team-added') {
      patchList(client, teamsQuery.queryKey, teams => withItem(teams, event.team, byName))
    } else if (event.t === 'team-removed') {
      patchList(client, teamsQuery.queryKey, teams => withoutItem(teams, event.team))
    } else if (event.t === 'invitation-added') {
      patchList(client, invitationsQuery.queryKey, list =>
        withItem(list, event.invitation, newestFirst),
      )
    } else if (event.t === 'invitation-removed') {
      patchList(client, invitationsQuery.queryKey, list => withoutItem(list, event.invitation))
    }
  })
}

function byName(a: Team, b: Team): number {
  return a.name.localeCompare(b.name)
}

function newestFirst(a: Invitation, b: Invitation): number {
  return b.expiresAt - a.expiresAt
}

/** Deleted teams that this user, their owner, can restore. Renders nothing if there are none. */
function DeletedTeamRows() {
  const client = useQueryClient()
  const { id } = useMe()
  const { data: deleted } = useQuery(deletedTeamsQuery)
  useRoom(`user:${id}`, ({ t }) => {
    // Another page of this user may have deleted or restored a team.
    if (t === 'team-removed' || t === 'team-added')
      void client.invalidateQueries({ queryKey: deletedTeamsQuery.queryKey })
  })
  if (!deleted?.length) return null
  return (
    <section aria-labelledby="deleted-teams">
      <SectionHead id="deleted-teams" title={teamsText.deletedTeams} />
      <Rows labelledBy="deleted-teams">
        {deleted.map(team => (
          <DeletedTeamRow key={team.id} team={team} />
        ))}
      </Rows>
    </section>
  )
}

function DeletedTeamRow({ team: { id, name, restorableUntil } }: { team: DeletedTeam }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const restore = useCommand({
    send: () => command('teams.restore', { teamId: id }),
    failed: teamsText.restoreFailed,
    onSuccess: () => {
      patchList(client, deletedTeamsQuery.queryKey, list => withoutItem(list, id))
      void client.invalidateQueries({ queryKey: teamsQuery.queryKey })
      toasts.success(appText.success, teamsText.restored(name))
    },
    // Restored on another page, or its 7 days are over.
    onFailed: () => client.invalidateQueries({ queryKey: deletedTeamsQuery.queryKey }),
  })
  return (
    <Row
      plate={<ThreeLetterPlate name={name} quiet />}
      title={name}
      detail={teamsText.restorableUntil(dayAndTime.format(restorableUntil))}
      choices={
        <Button
          variant="quiet"
          aria-label={teamsText.restoreTeam(name)}
          busy={restore.isPending}
          onClick={() => restore.mutate()}
        >
          {teamsText.restore}
        </Button>
      }
    />
  )
}
