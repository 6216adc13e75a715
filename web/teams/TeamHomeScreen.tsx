import { useQuery } from '@tanstack/react-query'
import { List, Users } from 'lucide-react'
import { useParams } from 'react-router'
import type { UserId } from '#contract/ids.ts'
import { logoUrl, usePhotos } from '#web/api/pictures.ts'
import { teamQuery } from '#web/api/queries.ts'
import { endedSessionsQuery } from '#web/api/teamQueries.ts'
import { useOthers } from '#web/api/useOthers.ts'
import {
  driverName,
  drivingUserId,
  personName,
  personPlateName,
  plateName,
} from '#web/race/driverName.ts'
import { appText } from '#web/text/app.ts'
import { teamsText } from '#web/text/teams.ts'
import { Bar, BarGap, BarLink, LogoLink } from '#web/ui/Bar.tsx'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { SectionHead } from '#web/ui/PageHead.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { Skeleton, SkeletonRows } from '#web/ui/Skeleton.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Wrap } from '#web/ui/Wrap.tsx'
import { ActiveSessions } from './ActiveSessions.tsx'
import { DriveSection } from './DriveSection.tsx'
import { InstallHelp } from './InstallHelp.tsx'
import styles from './TeamHomeScreen.module.css'
import { useLiveSessions } from './useLiveSessions.ts'

export function TeamHomeScreen() {
  const { teamId = '' } = useParams()
  const { data: team, error, isFetching, refetch } = useQuery(teamQuery(teamId))
  const logo = team && logoUrl(team)
  usePageTitle(team?.name ?? teamsText.page)
  const watching = useLiveSessions(teamId)
  return (
    <>
      <Bar>
        <LogoLink to="/teams" label={appText.home} short />
        <BarGap />
        <BarLink to="/teams">
          <List aria-hidden />
          {teamsText.teams}
        </BarLink>
        <BarLink to={`/teams/${teamId}/members`}>
          <Users aria-hidden />
          {teamsText.members}
        </BarLink>
      </Bar>
      <Wrap wide>
        <div className={styles.name}>
          {logo !== undefined && <ThreeLetterPlate name={team?.name ?? ''} picture={logo} />}
          <h1 className={typography.h1} tabIndex={-1}>
            {team?.name ?? (error ? teamsText.page : <LoadingName />)}
          </h1>
        </div>
        {!team && error && (
          <div className={styles.failed}>
            <NotLoaded query={{ error, isFetching, refetch }} failed={teamsText.failed} />
          </div>
        )}
        <div className={styles.columns}>
          <section aria-labelledby="drive">
            <SectionHead id="drive" title={teamsText.drive} />
            <DriveSection teamId={teamId} />
            <div className={styles.install}>
              <InstallHelp />
            </div>
          </section>
          <section aria-labelledby="message">
            <SectionHead id="message" title={teamsText.message} />
            <ActiveSessions teamId={teamId} />
          </section>
          <PitWall teamId={teamId} watching={watching} />
          <EndedSessions teamId={teamId} />
        </div>
        <nav className={styles.more} aria-label={teamsText.more}>
          <LinkButton variant="quiet" to={`/teams/${teamId}/wall`}>
            {teamsText.wall}
          </LinkButton>
          <LinkButton variant="quiet" to={`/teams/${teamId}/sessions`}>
            {teamsText.allSessions}
          </LinkButton>
          <LinkButton variant="quiet" to={`/teams/${teamId}/cars`}>
            {teamsText.roster}
          </LinkButton>
          <LinkButton variant="quiet" to={`/teams/${teamId}/words`}>
            {teamsText.words}
          </LinkButton>
          <LinkButton variant="quiet" to={`/teams/${teamId}/circuits`}>
            {teamsText.circuits}
          </LinkButton>
          <LinkButton variant="quiet" to={`/teams/${teamId}/televisions`}>
            {teamsText.televisions}
          </LinkButton>
        </nav>
      </Wrap>
    </>
  )
}

function LoadingName() {
  return (
    <>
      <span className={typography.hidden}>{teamsText.loading}</span>
      <Skeleton widthPx={270} heightPx={32} />
    </>
  )
}

/** The team's recently ended sessions, each linked to its log. Renders nothing if none has ended. */
function EndedSessions({ teamId }: { teamId: string }) {
  const { data: sessions = [] } = useQuery(endedSessionsQuery(teamId))
  const photoOf = usePhotos(teamId)
  if (sessions.length === 0) return null
  return (
    <section className={styles.ended} aria-labelledby="ended">
      <SectionHead id="ended" title={teamsText.lastSessions} />
      <Rows labelledBy="ended">
        {sessions.map(session => (
          <Row
            key={session.id}
            to={`/teams/${teamId}/${session.id}/log`}
            plate={
              <ThreeLetterPlate
                name={plateName(session)}
                picture={photoOf(drivingUserId(session))}
              />
            }
            title={session.name}
            detail={`${dayAndTime.format(session.endedAt)} · ${driverName(session)}`}
          />
        ))}
      </Rows>
    </section>
  )
}

const dayAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

interface Props {
  teamId: string
  /** The users with an open page of the team; null while loading. */
  watching: readonly UserId[] | null
}

/** The other members who have a page of the team or of one of its sessions open. */
function PitWall({ teamId, watching }: Props) {
  return (
    <section className={styles.wall} aria-labelledby="wall">
      <SectionHead id="wall" title={teamsText.pitWall} />
      {watching ? (
        <OtherRows teamId={teamId} watching={watching} />
      ) : (
        <SkeletonRows label={teamsText.loadingPitWall} />
      )}
    </section>
  )
}

function OtherRows({ teamId, watching }: { teamId: string; watching: readonly UserId[] }) {
  const others = useOthers(teamId, watching)
  const photoOf = usePhotos(teamId)
  if (others.length === 0) return <p className={typography.sub}>{teamsText.nobodyElse}</p>
  return (
    <Rows labelledBy="wall">
      {others.map(person => (
        <Row
          key={person.id}
          plate={
            <ThreeLetterPlate name={personPlateName(person)} quiet picture={photoOf(person.id)} />
          }
          title={personName(person)}
        />
      ))}
    </Rows>
  )
}
