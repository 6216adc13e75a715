import { Flag, Plus } from 'lucide-react'
import { useParams } from 'react-router'
import type { Race } from '#contract/races.ts'
import type { Car } from '#contract/roster.ts'
import { TeamPage } from '#web/account/TeamPage.tsx'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { useRaces } from '#web/race/racesQuery.ts'
import { useRoster } from '#web/race/rosterQuery.ts'
import { planText } from '#web/text/plan.ts'
import { CarPlate } from '#web/ui/CarPlate.tsx'
import { shortDay } from '#web/ui/dates.ts'
import { Empty } from '#web/ui/Empty.tsx'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { Stack } from '#web/ui/Wrap.tsx'
import { carsOf } from './carsOf.ts'
import styles from './RaceScreen.module.css'
import { raceSpan } from './raceSpan.ts'

/** The races of a team: the one that runs, the prepared ones, and those that are over. */
export function RacesScreen() {
  const { teamId = '' } = useParams()
  const viewer = useIsViewer(teamId)
  const races = useRaces(teamId)
  const { data: roster } = useRoster(teamId)
  return (
    <TeamPage page={planText.races}>
      <Stack>
        {races.data ? (
          <RaceRows teamId={teamId} races={races.data} cars={roster?.cars ?? []} />
        ) : (
          <NotLoaded query={races} loading={planText.loadingRaces} failed={planText.racesFailed} />
        )}
        {!viewer && (
          <LinkButton to={`/teams/${teamId}/races/new`}>
            <Plus size={22} aria-hidden />
            {planText.prepare}
          </LinkButton>
        )}
      </Stack>
    </TeamPage>
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
          detail={<span className={styles.span}>{raceSpan(race, shortDay)}</span>}
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
