import { useQuery } from '@tanstack/react-query'
import { Flag, Plus } from 'lucide-react'
import { useParams } from 'react-router'
import type { Race } from '#contract/races.ts'
import type { Car } from '#contract/roster.ts'
import { teamQuery } from '#web/api/queries.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { useRaces } from '#web/race/racesQuery.ts'
import { useRoster } from '#web/race/rosterQuery.ts'
import { appText } from '#web/text/app.ts'
import { planText } from '#web/text/plan.ts'
import { teamsText } from '#web/text/teams.ts'
import { BackLink, Bar } from '#web/ui/Bar.tsx'
import { CarPlate } from '#web/ui/CarPlate.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Stack, Wrap } from '#web/ui/Wrap.tsx'
import { carsOf } from './carsOf.ts'
import styles from './RaceScreen.module.css'
import { raceSpan } from './raceSpan.ts'

/** The races of a team: the one that runs, the prepared ones, and those that are over. */
export function RacesScreen() {
  usePageTitle(planText.races)
  const { teamId = '' } = useParams()
  const viewer = useIsViewer(teamId)
  const { data: team } = useQuery(teamQuery(teamId))
  const { data: races, error, isFetching, refetch } = useRaces(teamId)
  const { data: roster } = useRoster(teamId)
  return (
    <>
      <Bar>
        <BackLink to={`/teams/${teamId}`} lead={appText.backTo}>
          {team?.name ?? teamsText.page}
        </BackLink>
      </Bar>
      <Wrap>
        <PageHead title={planText.races} />
        <Stack>
          {races ? (
            <RaceRows teamId={teamId} races={races} cars={roster?.cars ?? []} />
          ) : error ? (
            <LoadFailed
              title={planText.racesFailed}
              message={refusalText(error)}
              retryLabel={planText.tryAgain}
              retrying={isFetching}
              onRetry={() => void refetch()}
            />
          ) : (
            <SkeletonRows label={planText.loadingRaces} />
          )}
          {!viewer && (
            <LinkButton to={`/teams/${teamId}/races/new`}>
              <Plus size={22} aria-hidden />
              {planText.prepare}
            </LinkButton>
          )}
        </Stack>
      </Wrap>
    </>
  )
}

interface RowsProps {
  teamId: string
  races: readonly Race[]
  cars: readonly Car[]
}

function RaceRows({ teamId, races, cars }: RowsProps) {
  if (races.length === 0)
    return (
      <Empty>
        <strong>{planText.noRace}</strong> - {planText.noRaceText}
      </Empty>
    )
  return (
    <Rows label={planText.races}>
      {races.map(race => (
        <Row
          key={race.id}
          to={`/teams/${teamId}/races/${race.id}`}
          plate={<Flag size={24} aria-hidden />}
          title={race.name}
          detail={raceSpan(race)}
          figures={
            <span className={styles.plates}>
              {carsOf(race, cars)
                .slice(0, 3)
                .map(({ id, number }) => (
                  <CarPlate key={id} number={number} />
                ))}
            </span>
          }
        />
      ))}
    </Rows>
  )
}
