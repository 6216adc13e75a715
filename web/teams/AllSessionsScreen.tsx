import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { useState } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import type { ListedSession } from '#contract/sessions.ts'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import { TeamPage } from '#web/account/TeamPage.tsx'
import { refusalText } from '#web/api/refusalText.ts'
import { sessionListQuery } from '#web/api/sessionListQuery.ts'
import { membersQuery } from '#web/api/teamQueries.ts'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { driverName } from '#web/race/driverName.ts'
import { lapTime } from '#web/race/lapFigures.ts'
import { useLiveSessions } from '#web/race/useLiveSessions.ts'
import { recordingsText } from '#web/text/recordings.ts'
import { teamsText } from '#web/text/teams.ts'
import { Button } from '#web/ui/Button.tsx'
import { dayAndTime } from '#web/ui/dates.ts'
import { Field } from '#web/ui/Field.tsx'
import { FieldPair } from '#web/ui/FieldPair.tsx'
import { MorePages } from '#web/ui/MorePages.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { Row, RowLinks, Rows } from '#web/ui/Rows.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useDebounced } from '#web/ui/useDebounced.ts'
import { Stack } from '#web/ui/Wrap.tsx'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import { dayStart } from './days.ts'
import { ImportDialog } from './ImportDialog.tsx'
import styles from './SessionList.module.css'
import { SessionPlate } from './SessionPlate.tsx'
import { usePhotos } from './usePhotos.ts'

const names = ['search', 'from', 'to'] as const

/** Every session of the team, the newest first, with a search. */
export function AllSessionsScreen() {
  const { teamId = '' } = useParams()
  useLiveSessions(teamId)
  const viewer = useIsViewer(teamId)
  const [filter, setFilter] = useSessionFilter()
  const search = useDebounced(filter.search.trim())
  const { fromMs: from, beforeMs: before } = filter
  const list = useInfiniteQuery(sessionListQuery(teamId, { search, from, before }))
  const isFiltered = search !== '' || from !== undefined || before !== undefined
  return (
    <TeamPage page={teamsText.allSessions} wide>
      <Stack>
        <div className={styles.tools}>
          <SessionFilter filter={filter} onChange={setFilter} />
          {!viewer && <ImportRecording teamId={teamId} />}
        </div>
        {list.data ? (
          <>
            <SessionList
              teamId={teamId}
              sessions={list.data.pages.flatMap(({ sessions }) => sessions)}
              nothing={isFiltered ? teamsText.noSessionFound : teamsText.noSessionsYet}
            />
            {list.isRefetchError && (
              <p role="alert" className={typography.sub}>
                {teamsText.searchFailed} {refusalText(list.error)}
              </p>
            )}
            <MorePages
              list={list}
              more={teamsText.earlierSessions}
              failed={teamsText.earlierSessionsFailed}
            />
          </>
        ) : (
          <NotLoaded
            query={list}
            loading={teamsText.loadingSessions}
            failed={teamsText.sessionsFailed}
            detailPx={210}
          />
        )}
      </Stack>
    </TeamPage>
  )
}

/** Imports a recording as a session, and opens its laps. */
function ImportRecording({ teamId }: { teamId: string }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" onClick={() => setOpen(true)}>
        <FileUp aria-hidden />
        {recordingsText.open}
      </Button>
      {open && <ImportDialog teamId={teamId} onClose={() => setOpen(false)} />}
    </>
  )
}

type Values = Record<(typeof names)[number], string>

interface Filter extends Values {
  /** Start of the first day, in milliseconds since the epoch; undefined without one. */
  fromMs: number | undefined
  /** End of the last day; undefined without one. */
  beforeMs: number | undefined
}

/** Returns the filter in the URL, so that it stays when somebody returns from a session. */
function useSessionFilter(): [Filter, (changes: Partial<Values>) => void] {
  const [params, setParams] = useSearchParams()
  const [search = '', from = '', to = ''] = names.map(name => params.get(name) ?? '')
  function change(changes: Partial<Values>) {
    const all = { search, from, to, ...changes }
    setParams(Object.fromEntries(names.flatMap(name => (all[name] ? [[name, all[name]]] : []))), {
      replace: true,
    })
  }
  return [{ search, from, to, fromMs: dayStart(from), beforeMs: dayStart(to, 1) }, change]
}

interface Props {
  filter: Filter
  onChange: (changes: Partial<Values>) => void
}

/** Fields that restrict the list of sessions. */
function SessionFilter({ filter, onChange }: Props) {
  return (
    <search>
      <Field
        label={teamsText.search}
        placeholder={teamsText.searchExample}
        type="search"
        maxLength={maxNameLetters}
        value={filter.search}
        onChange={({ target }) => onChange({ search: target.value })}
      />
      <FieldPair short>
        <Field
          label={teamsText.searchFrom}
          type="date"
          value={filter.from}
          onChange={({ target }) => onChange({ from: target.value })}
        />
        <Field
          label={teamsText.searchTo}
          type="date"
          value={filter.to}
          onChange={({ target }) => onChange({ to: target.value })}
        />
      </FieldPair>
    </search>
  )
}

interface SessionListProps {
  teamId: string
  sessions: readonly ListedSession[]
  /** The sentence for an empty list. */
  nothing: string
}

/** Sessions with links to their laps, messages and map. */
function SessionList({ teamId, sessions, nothing }: SessionListProps) {
  const photoOf = usePhotos(teamId)
  const { data: members } = useQuery(membersQuery(teamId))
  if (sessions.length === 0) return <p className={typography.sub}>{nothing}</p>
  return (
    <Rows label={teamsText.allSessions}>
      {sessions.map(session => (
        <Row
          key={session.id}
          plate={<SessionPlate session={session} photoOf={photoOf} />}
          title={session.name}
          detail={detailOf(session, members?.some(({ id }) => id === session.driver.id) ?? true)}
          {...(session.bestLapMs !== null && {
            figures: (
              <span className={styles.best}>
                {lapTime(session.bestLapMs)} <small>{teamsText.bestLap}</small>
              </span>
            ),
          })}
          choices={<SessionLinks teamId={teamId} session={session} />}
        />
      ))}
    </Rows>
  )
}

function SessionLinks({ teamId, session }: { teamId: string; session: ListedSession }) {
  const { links } = teamsText
  const path = `/teams/${teamId}/${session.id}`
  const all = [
    [links.laps, `${path}/laps`],
    [links.messages, `${path}/log`],
    // The map of an ended session would only show where the car stopped: its replay shows the whole drive.
    session.endedAt === null
      ? [links.map, `${path}/message?view=map`]
      : [links.replay, `${path}/laps/replay`],
  ]
  return (
    <RowLinks>
      {all.map(([name = '', to = '']) => (
        <Link key={name} to={to} aria-label={links.of(name, session.name)}>
          {name}
        </Link>
      ))}
    </RowLinks>
  )
}

function detailOf(session: ListedSession, isMember: boolean): string {
  const { startedAt, endedAt, circuit, laps, imported, car } = session
  const counted = teamsText.laps(laps, wholeNumber(laps))
  return [
    endedAt === null ? teamsText.active : dayAndTime.format(startedAt),
    driverName(session),
    ...(imported ? [teamsText.imported] : []),
    ...(isMember ? [] : [teamsText.driverLeft]),
    ...(circuit === null ? [] : [circuit]),
    // The page of laps counts those of all phones of the car.
    ...(laps === 0 ? [] : [car && !imported ? teamsText.lapsOfPhone(counted) : counted]),
  ].join(' · ')
}
