import { useQuery } from '@tanstack/react-query'
import {
  Car,
  Flag,
  List,
  Mail,
  Map as MapIcon,
  MessageSquareText,
  Timer,
  Tv,
  Users,
} from 'lucide-react'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import type { UserId } from '#contract/ids.ts'
import { ProfileMenu } from '#web/account/ProfileMenu.tsx'
import { useProfileDialog } from '#web/account/useProfileDialog.tsx'
import { useMe } from '#web/api/login.ts'
import { logoUrl } from '#web/api/pictures.ts'
import { teamQuery } from '#web/api/queries.ts'
import { activeSessionsQuery, membersQuery } from '#web/api/teamQueries.ts'
import { useOthers } from '#web/api/useOthers.ts'
import { settingKeys } from '#web/device/stored.ts'
import { textStore } from '#web/device/textStore.ts'
import { useLost } from '#web/live/useLost.ts'
import { OtherProblems } from '#web/message/OtherProblems.tsx'
import { personName, personPlateName } from '#web/race/driverName.ts'
import { useLiveSessions } from '#web/race/useLiveSessions.ts'
import { appText } from '#web/text/app.ts'
import { joinText } from '#web/text/join.ts'
import { teamsText } from '#web/text/teams.ts'
import { Bar, BarGap, BarLink, LogoLink } from '#web/ui/Bar.tsx'
import { Button } from '#web/ui/Button.tsx'
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
import { EndedSessions } from './EndedSessions.tsx'
import { InstallHelp } from './InstallHelp.tsx'
import { PracticeItem } from './PracticeCard.tsx'
import { RaceBoard, useBoardRaces } from './RaceBoard.tsx'
import styles from './TeamHomeScreen.module.css'
import { usePhotos } from './usePhotos.ts'

const storageKey = settingKeys.emailOffer

/** The pages of the team in its menu. */
const ways = [
  ['races', Flag, teamsText.races],
  ['sessions', Timer, teamsText.allSessions],
  ['cars', Car, teamsText.roster],
  ['circuits', MapIcon, teamsText.circuits],
  ['words', MessageSquareText, teamsText.words],
  ['televisions', Tv, teamsText.televisions],
] as const

export function TeamHomeScreen() {
  const { teamId = '' } = useParams()
  const query = useQuery(teamQuery(teamId))
  const { data: team } = query
  const { data: sessions = [] } = useQuery(activeSessionsQuery(teamId))
  const hasSessions = sessions.length > 0
  const logo = team && logoUrl(team)
  usePageTitle(team?.name ?? teamsText.page)
  const watching = useLiveSessions(teamId)
  const board = useBoardRaces(teamId)
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
        <ProfileMenu />
      </Bar>
      <Wrap wide>
        <div className={styles.name}>
          {logo !== undefined && <ThreeLetterPlate name={team?.name ?? ''} picture={logo} />}
          <h1 className={typography.h1} tabIndex={-1}>
            {team?.name ?? (query.error ? teamsText.page : <LoadingName />)}
          </h1>
        </div>
        {!team && query.error && (
          <div className={styles.failed}>
            <NotLoaded query={query} failed={teamsText.failed} />
          </div>
        )}
        <div className={styles.problems}>
          <OtherProblems teamId={teamId} session={null} />
        </div>
        <div className={styles.parts}>
          <RaceBoard teamId={teamId} board={board} />
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
              <ActiveSessions teamId={teamId} isBoardReady={board.isReady} />
            </section>
            <PitWall teamId={teamId} watching={watching} />
            <EndedSessions teamId={teamId} />
          </div>
        </div>
        <EmailOffer />
        <nav className={styles.more} aria-label={teamsText.more}>
          {ways.map(([path, Icon, text]) => (
            <Link key={path} to={`/teams/${teamId}/${path}`}>
              <Icon aria-hidden />
              {text}
            </Link>
          ))}
          {/* Without a session it is a card. */}
          {team && team.role !== 'viewer' && hasSessions && <PracticeItem teamId={teamId} />}
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

interface Props {
  teamId: string
  /** The users with an open page of the team; null while loading. */
  watching: readonly UserId[] | null
}

/** The other members who have a page of the team or of one of its sessions open. */
function PitWall({ teamId, watching }: Props) {
  const isLost = useLost()
  return (
    <section className={styles.wall} aria-labelledby="wall">
      <SectionHead id="wall" title={teamsText.pitWall} />
      {watching ? (
        <OtherRows teamId={teamId} watching={watching} />
      ) : isLost ? (
        <p className={typography.sub}>{teamsText.pitWallOffline}</p>
      ) : (
        <SkeletonRows label={teamsText.loadingPitWall} count={1} />
      )}
    </section>
  )
}

function OtherRows({ teamId, watching }: { teamId: string; watching: readonly UserId[] }) {
  const others = useOthers(teamId, watching)
  const photoOf = usePhotos(teamId)
  const members = useQuery(membersQuery(teamId))
  if (!members.data)
    return (
      <NotLoaded
        query={members}
        loading={teamsText.loadingPitWall}
        failed={teamsText.failed}
        count={1}
      />
    )
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

/** Offers somebody who joined by a code to add an email, until they decline it on this device. */
function EmailOffer() {
  const { kind } = useMe()
  const [hidden, setHidden] = useState(() => textStore.read(storageKey) === 'declined')
  const { open, dialog } = useProfileDialog()
  if (kind !== 'joined' || hidden) return null
  function decline() {
    textStore.write(storageKey, 'declined')
    setHidden(true)
  }
  return (
    <>
      <Rows label={joinText.offer}>
        <Row
          plate={<Mail aria-hidden />}
          title={joinText.offer}
          detail={joinText.offerText}
          choices={
            <>
              <Button variant="quiet" onClick={decline}>
                {joinText.notNow}
              </Button>
              <Button onClick={() => open('EmailDialog')}>{joinText.add}</Button>
            </>
          }
        />
      </Rows>
      {dialog}
    </>
  )
}
