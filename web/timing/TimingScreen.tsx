import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { carsOf } from '#web/race/plan/carsOf.ts'
import { useRaces } from '#web/race/racesQuery.ts'
import { useRoster } from '#web/race/rosterQuery.ts'
import { planText } from '#web/text/plan.ts'
import { timingText } from '#web/text/timing.ts'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { SubPage } from '#web/ui/SubPage.tsx'
import { RecordingState } from './RecordingState.tsx'
import { ResultsFile } from './ResultsFile.tsx'
import { ShownTiming } from './ShownTiming.tsx'
import { SourceForm } from './SourceForm.tsx'
import styles from './TimingScreen.module.css'
import { timingQuery } from './timingQuery.ts'
import { useRecording } from './useRecording.ts'

/** The official timing of a race: flag, clock, order and gaps, and the source that they come from. */
export function TimingScreen() {
  const { teamId = '', raceId = '' } = useParams()
  const mayChange = !useIsViewer(teamId)
  const race = useRaces(teamId).data?.find(({ id }) => id === raceId)
  const { data: roster } = useRoster(teamId)
  const query = useQuery(timingQuery(raceId))
  const cars = race && roster ? carsOf(race, roster.cars) : []
  const recording = useRecording(raceId)
  return (
    <SubPage
      wide
      page={timingText.page}
      sub={timingText.text}
      backTo={`/teams/${teamId}/races/${raceId}`}
      back={race?.name ?? planText.races}
    >
      {query.data ? (
        <div className={styles.columns}>
          <ShownTiming
            teamId={teamId}
            raceId={raceId}
            race={race}
            timing={query.data}
            cars={cars}
            answeredAt={query.dataUpdatedAt}
            isOffline={query.isError}
            mayChange={mayChange}
          />
          {mayChange && (
            <div className={styles.main}>
              <RecordingState recording={recording} />
              <SourceForm
                // Another person may have chosen one.
                key={JSON.stringify(query.data.source)}
                raceId={raceId}
                source={query.data.source}
                lacksToken={query.data.failure === 'no-token'}
                recording={recording}
              />
              <ResultsFile {...{ teamId, raceId, cars }} />
            </div>
          )}
        </div>
      ) : (
        <NotLoaded query={query} loading={timingText.loading} failed={timingText.failed} />
      )}
    </SubPage>
  )
}
