import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { useDeviceSecond } from '#web/live/useSecond.ts'
import { carsOf } from '#web/race/plan/carsOf.ts'
import { useRaces } from '#web/race/racesQuery.ts'
import { useRoster } from '#web/race/rosterQuery.ts'
import { planText } from '#web/text/plan.ts'
import { timingText } from '#web/text/timing.ts'
import { Button } from '#web/ui/Button.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { SubPage } from '#web/ui/SubPage.tsx'
import { FeedState } from './FeedState.tsx'
import { FollowClock } from './FollowClock.tsx'
import { GhostedStandings, type RaceTimingProps } from './GhostedStandings.tsx'
import { OurCars } from './OurCars.tsx'
import { ResultsFile } from './ResultsFile.tsx'
import { SourceForm } from './SourceForm.tsx'
import styles from './TimingScreen.module.css'
import { timingQuery } from './timingQuery.ts'
import { officialState } from './useOfficialTiming.ts'
import { type Recording, useRecording } from './useRecording.ts'

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

/** How much of a recorded file this page has played, or why it has stopped. */
function RecordingState({ recording: { progress, error, stop } }: { recording: Recording }) {
  if (progress !== null)
    return (
      <div className={styles.playing}>
        <output>{timingText.playing(Math.floor(progress * 100))}</output>
        <Button variant="quiet" narrow onClick={stop}>
          {timingText.stopPlaying}
        </Button>
      </div>
    )
  if (error === null) return null
  return (
    <p className={styles.warning} role="alert">
      {timingText.notPlayed} {error}
    </p>
  )
}

/** The state of the feed, the team's cars and the whole order. */
function ShownTiming(props: RaceTimingProps) {
  const { raceId, race, timing, cars, answeredAt, isOffline, mayChange } = props
  const state = officialState(timing, answeredAt, useDeviceSecond())
  const own = cars.map(({ number }) => number)
  return (
    <div className={styles.main}>
      <FeedState {...{ timing, own, answeredAt, isOffline }} />
      {mayChange && race && !isOffline && <FollowClock {...{ race, state }} />}
      <OurCars {...{ raceId, cars, state }} mayEnter={mayChange} />
      <GhostedStandings {...props} />
    </div>
  )
}
